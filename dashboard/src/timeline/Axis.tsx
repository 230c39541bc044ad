import type { ColumnDocument } from "../api/schema";
import { count, minutes } from "../parts/format";
import { columnAt, ticks, type Geometry, type ToX, type View } from "./scale";

interface Props {
  place: Geometry;
  view: View;
  toX: ToX;
  newest: number;
  columns: ColumnDocument[];
  /** Times in place of versions. */
  times: boolean;
  limited: boolean;
  most: string;
}

/** The names of the rows, and versions or times below them. */
export function Axis({ place, view, toX, newest, columns, times, limited, most }: Props) {
  const { left, right, top, bottom, small, mini, axis } = place;
  const height = bottom - top;
  const row = left - 8;
  return (
    <g className="axis">
      {!small && limited && (
        <text x={row} y={bottom - 0.7 * height + 6} textAnchor="end">
          70 %
        </text>
      )}
      {!small && limited && !mini && (
        <>
          <text x={row} y={bottom - 0.85 * height + 5} textAnchor="end">
            85 %
          </text>
          <text x={row} y={bottom - 0.95 * height + 1} textAnchor="end">
            95 %
          </text>
        </>
      )}
      {!small && !limited && (
        <text x={row} y={top + 8} textAnchor="end">
          {most}
        </text>
      )}
      {!small && !mini && (
        <>
          <text x={row} y={bottom + 3} textAnchor="end">
            0
          </text>
          <text x={row} y={place.lane + 4} textAnchor="end">
            Branches
          </text>
          <text x={row} y={place.calls + 8} textAnchor="end">
            Calls
          </text>
          <text x={row} y={place.overview + 13} textAnchor="end">
            All
          </text>
        </>
      )}
      {!small && (
        <text x={row} y={axis} textAnchor="end">
          {times ? "Time" : "Version"}
        </text>
      )}
      {ticks(view, place, small ? 90 : 58).map((version) => {
        const x = toX(version);
        if (x < left + 8 || (view.to >= newest && right - x < 30)) return null;
        const at = columnAt(columns, version)?.at;
        return (
          <g key={version}>
            <line x1={x} x2={x} y1={axis - 13} y2={axis - 10} />
            <text x={x} y={axis} textAnchor="middle">
              {times && at !== undefined ? minutes(at) : count(version)}
            </text>
          </g>
        );
      })}
      {view.to >= newest && (
        <text className="now" x={right} y={axis} textAnchor={small ? "end" : "middle"}>
          now
        </text>
      )}
    </g>
  );
}
