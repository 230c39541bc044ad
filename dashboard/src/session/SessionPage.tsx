/** One session: its tabs, the view that the address names, and the timeline below, whatever the view. */
import { useAddress } from "../address/address";
import { Link } from "../address/Link";
import { useSession } from "../api/sessions";
import { Problem, Skeleton } from "../parts/States";
import { NotFound } from "../shell/NotFound";
import { TopBar } from "../shell/TopBar";
import { SubBar } from "./SubBar";
import { VIEWS } from "./views";
import "./SessionPage.css";

interface Props {
  session: string;
  rest: string[];
}

export function SessionPage({ session, rest: [path = "", ...rest] }: Props) {
  const { params } = useAddress();
  const shown = useSession(session);
  const view = VIEWS.find((one) => one.path === path);
  const asked = Number(params.get("v")) || null;
  const newest = shown.data?.version ?? 0;
  const version = asked === null ? newest : Math.min(Math.max(1, asked), newest);
  return (
    <>
      <TopBar>
        <nav className="crumbs grow" aria-label="Path">
          <Link className="hide-small" to="/">
            Sessions
          </Link>
          <span className="hide-small">/</span>
          <h1 className="cut">{shown.data?.title ?? session}</h1>
        </nav>
      </TopBar>
      {shown.data && view ? (
        <>
          <SubBar session={shown.data} current={path} />
          <view.component session={shown.data} version={version} past={version < newest} rest={rest} />
        </>
      ) : !view ? (
        <NotFound />
      ) : shown.error ? (
        <Problem title="The session could not be read." error={shown.error} retry={() => void shown.refetch()} />
      ) : (
        <Skeleton rows={12} />
      )}
    </>
  );
}
