import { Link } from "../address/Link";
import { useAddress, withParams } from "../address/address";
import type { ShownSessionDocument } from "../api/schema";
import { count } from "../parts/format";
import { VIEWS } from "./views";
import "./SubBar.css";

interface Props {
  session: ShownSessionDocument;
  current: string;
}

export function SubBar({ session, current }: Props) {
  const { params } = useAddress();
  return (
    <div className="sub-bar">
      <nav className="tabs" aria-label="Views">
        {VIEWS.map((view) => (
          <Link
            key={view.path}
            to={withParams(`/sessions/${session.session}${view.path && `/${view.path}`}`, { v: params.get("v"), pin: params.get("pin") })}
            aria-current={view.path === current ? "page" : undefined}
          >
            {view.name} {view.count && <i>{count(view.count(session))}</i>}
          </Link>
        ))}
      </nav>
    </div>
  );
}
