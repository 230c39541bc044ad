import { useCalls } from "../api/operations";
import { Empty } from "../parts/States";
import { ago, moment } from "../parts/format";
import { Box } from "./Box";

/** The trail of calls. */
export function Calls() {
  const calls = useCalls();
  return (
    <Box title="Trail of calls" of={calls} right="refused, or with the right to operate">
      {(found) =>
        found.calls.length === 0 ? (
          <Empty title="Nothing yet">Refused calls, and those that need the right to operate, will show here.</Empty>
        ) : (
          <div className="table-box" tabIndex={0}>
            <table className="table">
              <thead>
                <tr>
                  <th>When</th>
                  <th>Operation</th>
                  <th>Caller</th>
                  <th className="num">Status</th>
                </tr>
              </thead>
              <tbody>
                {found.calls.map((call) => (
                  <tr key={call.id}>
                    <td title={moment(call.called_at)}>{ago(call.called_at)}</td>
                    <td>{call.operation}</td>
                    <td className="text-2">{call.caller ?? "without a key"}</td>
                    <td className="num">{call.status}</td>
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
