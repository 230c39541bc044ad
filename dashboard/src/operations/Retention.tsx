import { useRetention } from "../api/operations";
import { Empty } from "../parts/States";
import { ago, counted, moment } from "../parts/format";
import { Box } from "./Box";

/** Rules that remove or erase old sessions. */
export function Retention() {
  const retention = useRetention();
  return (
    <Box title="Retention" of={retention}>
      {(found) =>
        found.rules.length === 0 ? (
          <Empty title="Everything is kept" command="backstory retention set --project orders-api --erase-after 365">
            Rules that remove or erase old sessions will show here.
          </Empty>
        ) : (
          <div className="table-box" tabIndex={0}>
            <table className="table">
              <thead>
                <tr>
                  <th>Project</th>
                  <th>Does</th>
                  <th>After</th>
                  <th>Memories</th>
                  <th>Set</th>
                </tr>
              </thead>
              <tbody>
                {found.rules.map((rule) => (
                  <tr key={`${rule.project} ${rule.set_at}`}>
                    <td>{rule.project}</td>
                    <td>{rule.action}</td>
                    <td>{rule.after_days === null ? "–" : counted(rule.after_days, "day")}</td>
                    <td>{rule.keeps_memories ? "kept" : "removed too"}</td>
                    <td title={moment(rule.set_at)}>
                      {ago(rule.set_at)}
                      {rule.set_by && ` by ${rule.set_by}`}
                    </td>
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
