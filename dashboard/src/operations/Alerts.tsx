import { Link } from "../address/Link";
import { useSessions } from "../api/sessions";
import { Empty } from "../parts/States";
import { ago, counted, percent, shortId } from "../parts/format";
import { Box } from "./Box";

/** Sessions whose window is above safe, the fullest first. */
export function Alerts() {
  const sessions = useSessions({ status: "open" });
  const full = (sessions.data?.pages.flatMap((page) => page.sessions) ?? []).filter((session) => session.zone !== "safe").sort((a, b) => (b.usage ?? 0) - (a.usage ?? 0));
  return (
    <Box title="Alerts" of={sessions} right={full.length > 0 && counted(full.length, "session")}>
      {() =>
        full.length === 0 ? (
          <Empty title="No window is near its limit">Open sessions at 70 % and more will show here.</Empty>
        ) : (
          <div className="table-box" tabIndex={0}>
            <table className="table">
              <thead>
                <tr>
                  <th>Session</th>
                  <th>Zone</th>
                  <th className="num">Usage</th>
                  <th>Last activity</th>
                </tr>
              </thead>
              <tbody>
                {full.slice(0, 12).map((session) => (
                  <tr key={session.session}>
                    <td className="cut">
                      <Link className="link" to={`/sessions/${session.session}`}>
                        {session.title ?? shortId(session.session)}
                      </Link>
                    </td>
                    <td>
                      <span className={`tag ${session.zone}`}>{session.zone}</span>
                    </td>
                    <td className="num">{percent(session.usage ?? 0)}</td>
                    <td>{ago(session.last_activity)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )
      }
    </Box>
  );
}
