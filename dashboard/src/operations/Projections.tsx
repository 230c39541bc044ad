import { Link } from "../address/Link";
import { useProjections, useSetAside } from "../api/operations";
import { count, counted, shortId } from "../parts/format";
import { Box } from "./Box";

/** Read models, and the events that they could not apply. */
export function Projections() {
  const projections = useProjections();
  const aside = useSetAside();
  const events = aside.data?.events ?? [];
  return (
    <Box title="Projections" of={projections} right={events.length > 0 && <span className="tag critical">{counted(events.length, "event")} set aside</span>}>
      {(found) => (
        <div className="table-box" tabIndex={0}>
          <table className="table">
            <thead>
              <tr>
                <th>Name</th>
                <th>Kind</th>
                <th className="num">Rows</th>
                <th className="num">Size</th>
                <th>State</th>
              </tr>
            </thead>
            <tbody>
              {found.projections.map((one) => (
                <tr key={one.name}>
                  <td>{one.name}</td>
                  <td className="text-2">{one.kind}</td>
                  <td className="num">{one.rows === null ? "–" : count(one.rows)}</td>
                  <td className="num">{one.bytes === null ? "–" : bytes(one.bytes)}</td>
                  <td>{one.behind ? <span className="tag warning">{counted(one.behind, "event")} behind</span> : <span className="text-2">up to date</span>}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {events.length > 0 && (
            <ul className="aside-list">
              {events.map((event) => (
                <li key={`${event.projection} ${event.position}`}>
                  <b>{event.projection}</b> {event.type}{" "}
                  <Link className="link" to={`/sessions/${event.session}?v=${event.version}`}>
                    {shortId(event.session)} v{event.version}
                  </Link>
                  : {event.reason}
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
    </Box>
  );
}

function bytes(size: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, size)) / 3));
  return `${(size / 1000 ** power).toFixed(power ? 1 : 0)} ${units[power]}`;
}
