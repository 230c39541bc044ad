import type { Geometry } from "./scale";
import { levelOf, said, type MarkGroup } from "./marks";

interface Props {
  groups: MarkGroup[];
  place: Geometry;
  /** Where the usage line is at a version. */
  toY: (version: number, tokens: number) => number;
  /** A mark that is looked at, such as the compaction of the view. */
  selected?: number;
}

/** Compactions, checkpoints, backtracks, alerts and decisions, each with a shape of its own. */
export function Marks({ groups, place, toY, selected }: Props) {
  return (
    <g className="marks">
      {groups.map((group) => (
        <g key={`${group.kind} ${group.mark.version}`} className={`mark ${group.kind} ${levelOf(group.mark)}`}>
          <Shape group={group} place={place} toY={toY} selected={selected === group.mark.version} />
          {group.marks.length > 1 && !place.mini && (
            <text className="count" x={group.x + 6} y={group.kind === "alert" ? toY(group.mark.version, group.mark.tokens) - 9 : place.lane - 6}>
              {group.marks.length}
            </text>
          )}
        </g>
      ))}
    </g>
  );
}

interface ShapeProps extends Omit<Props, "groups" | "selected"> {
  group: MarkGroup;
  selected: boolean;
}

function Shape({ group: { kind, mark, x }, place, toY, selected }: ShapeProps) {
  const { top, bottom, lane, mini } = place;
  const y = mini ? bottom : lane;
  switch (kind) {
    case "compaction":
      return (
        <>
          <line className={selected ? "drop selected" : "drop"} x1={x} x2={x} y1={top} y2={y} />
          <path d={`M${x - 5} ${y - 6}h10l-5 5.4zM${x - 5} ${y + 6}h10l-5-5.4z`} />
        </>
      );
    case "alert": {
      const over = Math.max(top - 2, toY(mark.version, mark.tokens) - 9);
      return <path d={`M${x} ${over - 4}l4.5 8h-9z`} />;
    }
    case "decision": {
      const over = toY(mark.version, mark.tokens) - 10;
      return (
        <>
          <line className="stem" x1={x} x2={x} y1={over + 5} y2={over + 10} />
          <path d={`M${x} ${over - 4}l4 4-4 4-4-4z`} />
        </>
      );
    }
    case "checkpoint":
      return mini ? null : <path d={`M${x - 4} ${y - 6.5}h8v12l-4-3.4-4 3.4z`} />;
    case "backtrack":
      return mini ? null : (
        <>
          <circle cx={x} cy={y} r="6" />
          <path d={`M${x + 2.8} ${y}h-5m2-2.2l-2.3 2.2 2.3 2.2`} />
        </>
      );
    case "end":
      return mini ? null : <path d={`M${x - 3.5} ${y - 3.5}h7v7h-7z`} />;
    default:
      return mini ? null : <circle className="other" cx={x} cy={y} r="4" />;
  }
}

/** What is beside a mark where there is room: names of checkpoints, backtracks and decisions. */
export function MarkLabels({ groups, place, perVersion }: { groups: MarkGroup[]; place: Geometry; perVersion: number }) {
  if (perVersion < 16 || place.small || place.mini) return null;
  return (
    <g className="mark-labels">
      {groups
        .filter((group) => ["checkpoint", "backtrack", "decision"].includes(group.kind))
        .map((group) => (
          <text key={`${group.kind} ${group.mark.version}`} x={group.x + 6} y={place.top + 20}>
            {said(group.mark)}
          </text>
        ))}
    </g>
  );
}
