import type { Geometry, ToX, View } from "./scale";
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

interface LabelProps {
  groups: MarkGroup[];
  place: Geometry;
  /** The width of a version, in pixels. */
  perVersion: number;
  /** What a mark says: a decision's text. */
  title: (version: number) => string | undefined;
}

/** Pixels of a version from which marks have names, and single events dots. */
export const ROOM_FOR_NAMES = 16;
const LETTER = 5.8;
const LONGEST = 34;
const ROWS = [12, 26];

/** What is beside a mark where there is room: names of checkpoints, backtracks and decisions, on two rows that do not
 * overlap. What finds no room is in the tooltip and in the list of marks. */
export function MarkLabels({ groups, place, perVersion, title }: LabelProps) {
  if (perVersion < ROOM_FOR_NAMES || place.small || place.mini) return null;
  const ends = ROWS.map(() => -Infinity);
  return (
    <g className="mark-labels">
      {groups.map((group) => {
        if (!["checkpoint", "backtrack", "decision"].includes(group.kind) || group.x < place.left) return null;
        const whole = (group.kind === "decision" && title(group.mark.version)) || said(group.mark);
        const text = whole.length > LONGEST ? `${whole.slice(0, LONGEST)}…` : whole;
        const row = ends.findIndex((end) => end < group.x);
        const end = group.x + 12 + text.length * LETTER;
        if (row < 0 || end > place.right) return null;
        ends[row] = end;
        return (
          <g key={`${group.kind} ${group.mark.version}`}>
            <line className="stem" x1={group.x} x2={group.x} y1={place.top + ROWS[row]! - 9} y2={place.lane - 8} />
            <text x={group.x + 5} y={place.top + ROWS[row]!}>
              {text}
            </text>
          </g>
        );
      })}
    </g>
  );
}

/** A dot for each event where versions are far apart. */
export function Dots({ view, place, toX, gone }: { view: View; place: Geometry; toX: ToX; gone: (version: number) => boolean }) {
  if (place.mini || (place.right - place.left) / Math.max(1, view.to - view.from) < ROOM_FOR_NAMES) return null;
  const first = Math.ceil(view.from);
  return (
    <g className="dots">
      {Array.from({ length: Math.max(0, Math.floor(view.to) - first + 1) }, (_, place) => first + place).map((version) => (
        <circle key={version} cx={toX(version)} cy={gone(version) ? place.lowerLane : place.lane} r="2.6" className={gone(version) ? "gone" : undefined} />
      ))}
    </g>
  );
}
