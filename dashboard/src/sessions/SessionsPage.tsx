import { Link } from "../address/Link";
import { useSessions } from "../api/sessions";
import { Loaded } from "../parts/States";

/** All sessions. */
export function SessionsPage() {
  const sessions = useSessions({});
  return (
    <main className="whole">
      <div className="width">
        <Loaded of={sessions} what="The sessions" rows={10}>
          {(found) => (
            <ul className="box">
              {found.pages.flatMap((page) => page.sessions).map((session) => (
                <li key={session.session}>
                  <Link to={`/sessions/${session.session}`}>{session.title}</Link>
                </li>
              ))}
            </ul>
          )}
        </Loaded>
      </div>
    </main>
  );
}
