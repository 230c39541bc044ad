import type { Geometry } from "./scale";

interface Props {
  kind: "cursor" | "pin";
  version: number;
  newest: number;
  label: string;
  /** What a screen reader says: "version 12, 09:22:52, 11 percent". */
  said: string;
  x: number;
  y: number;
  place: Geometry;
}

const GLYPH = 6.4;

/** A flag on a line: the version that the page shows, or the pinned one. */
export function Cursor({ kind, version, newest, label, said, x, y, place }: Props) {
  const width = label.length * GLYPH + 14;
  const flag = Math.max(2, Math.min(place.width - width - 2, x - width / 2));
  const foot = place.mini ? place.bottom : place.calls + 9;
  return (
    <g
      className={`cursor ${kind}`}
      data-cursor={kind}
      role="slider"
      tabIndex={0}
      aria-label={kind === "pin" ? "Pinned version" : "Version"}
      aria-valuemin={1}
      aria-valuemax={newest}
      aria-valuenow={version}
      aria-valuetext={said}
    >
      <rect className="grip" x={x - 10} y="0" width="20" height={foot} />
      <line x1={x} x2={x} y1="16" y2={foot} />
      <circle cx={x} cy={y} r="4" />
      <rect className="flag" x={flag} y="1" width={width} height="17" rx="4" />
      <text x={flag + width / 2} y="13.3" textAnchor="middle">
        {label}
      </text>
    </g>
  );
}
