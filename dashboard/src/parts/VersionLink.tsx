import { Link } from "../address/Link";
import { withParams } from "../address/address";

interface Props {
  session: string;
  version: number;
  /** The view of the session that it leads to; the window by default. */
  view?: string;
}

/** A version, which leads to the session as it was then. */
export function VersionLink({ session, version, view = "" }: Props) {
  return (
    <Link className="version" to={withParams(`/sessions/${session}${view && `/${view}`}`, { v: version })} title={`Stand at version ${version}`}>
      v{version}
    </Link>
  );
}
