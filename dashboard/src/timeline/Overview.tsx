import type { Geometry, View } from "./scale";

interface Props {
  place: Geometry;
  view: View;
  cursor: number;
  newest: number;
}

/** The visible range in the whole session. Drag it, or its ends. */
export function Overview({ place, view, cursor, newest }: Props) {
  const { left, right, overview } = place;
  const toX = (version: number) => left + ((version - 1) / Math.max(1, newest - 1)) * (right - left);
  const [from, to] = [toX(view.from), toX(view.to)];
  const whole = view.from <= 1 && view.to >= newest;
  return (
    <g className={whole ? "overview whole" : "overview"}>
      <rect className="range" x={from} y={overview - 0.5} width={Math.max(4, to - from)} height="19" rx="3" />
      {[from, to].map((x, end) => (
        <rect key={end} className="end" x={x - 2} y={overview + 4} width="4" height="10" rx="2" />
      ))}
      <line x1={toX(cursor)} x2={toX(cursor)} y1={overview} y2={overview + 18} />
    </g>
  );
}
