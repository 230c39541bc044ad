import { Link } from "../address/Link";
import { Empty } from "../parts/States";

export function NotFound() {
  return (
    <main className="whole">
      <h1 className="for-readers">Not found</h1>
      <Empty title="There is nothing at this address">
        <Link className="link" to="/">
          Sessions
        </Link>
      </Empty>
    </main>
  );
}
