import { useKeyList } from "../api/operations";
import { Empty } from "../parts/States";
import { ago, counted, moment } from "../parts/format";
import { Box } from "./Box";

/** Keys, without their secrets. */
export function Keys() {
  const keys = useKeyList();
  return (
    <Box title="Keys" of={keys} right={keys.data && counted(keys.data.found.filter((key) => key.valid).length, "valid key")}>
      {(found) =>
        found.found.length === 0 ? (
          <Empty title="There are no keys" command="backstory keys make --name page --action read">
            Without keys, the service answers on this machine alone.
          </Empty>
        ) : (
          <div className="table-box" tabIndex={0}>
            <table className="table">
              <thead>
                <tr>
                  <th>Name</th>
                  <th>May</th>
                  <th>Projects</th>
                  <th>Last used</th>
                  <th>Expires</th>
                  <th>State</th>
                </tr>
              </thead>
              <tbody>
                {found.found.map((key) => (
                  <tr key={key.prefix}>
                    <td>
                      {key.name} <code className="text-3">{key.prefix}…</code>
                    </td>
                    <td>{key.action}</td>
                    <td className="text-2">
                      {key.projects?.join(", ") ?? "all"}
                      {key.agent && `, as ${key.agent}`}
                    </td>
                    <td>{key.last_used ? ago(key.last_used) : "never"}</td>
                    <td>{key.expires_at ? moment(key.expires_at) : "never"}</td>
                    <td>{key.valid ? <span className="tag safe">valid</span> : <span className="tag">{key.revoked_at ? "revoked" : "expired"}</span>}</td>
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
