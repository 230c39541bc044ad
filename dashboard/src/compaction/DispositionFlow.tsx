import { count } from "../parts/format";
import type { Band, Disposition } from "./fates";
import "./DispositionFlow.css";

const HEIGHT = 180;
const GAP = 6;
const LEAST = 3;
const LEFT = 190;
const RIGHT = 430;
/** A band's name has two lines. */
const LABEL = 30;

interface Props {
  bands: Band[];
  chosen: Disposition | null;
  onChoose: (disposition: Disposition | null) => void;
}

/** Tokens before and after by disposition: a band each. */
export function DispositionFlow({ bands, chosen, onChoose }: Props) {
  const total = Math.max(1, ...[bands.reduce((sum, band) => sum + band.before, 0)]);
  const unit = HEIGHT / total;
  let left = 0;
  let right = 0;
  const shapes = bands.map((band) => {
    const from = { y: left, height: Math.max(LEAST, band.before * unit) };
    const to = { y: right, height: band.after ? Math.max(2, band.after * unit) : 0 };
    left += Math.max(from.height, LABEL) + GAP;
    if (to.height) right += Math.max(to.height, LABEL / 2) + GAP;
    return { band, from, to };
  });
  const height = Math.max(left, right);
  return (
    <svg
      className="flow"
      viewBox={`0 0 620 ${height}`}
      role="img"
      aria-label={bands.map((band) => `${band.items} ${band.disposition}: ${count(band.before)} tokens before, ${count(band.after)} after`).join("; ")}
    >
      {shapes.map(({ band, from, to }) => (
        <g
          key={band.disposition}
          className={`${band.disposition}${chosen && chosen !== band.disposition ? " faded" : ""}`}
          onClick={() => onChoose(chosen === band.disposition ? null : band.disposition)}
        >
          {to.height ? (
            <path className="band" d={bandPath(from, to)} />
          ) : (
            <path className="band" d={`M${LEFT} ${from.y}h60l14 ${from.height / 2}l-14 ${from.height / 2}H${LEFT}Z`} />
          )}
          <rect x={LEFT - 10} y={from.y} width="10" height={from.height} rx="1.5" />
          {to.height > 0 && <rect x={RIGHT} y={to.y} width="10" height={to.height} rx="1.5" />}
          <text className="name" x={LEFT - 20} y={from.y + 12} textAnchor="end">
            {band.disposition} {count(band.items)}
          </text>
          <text x={LEFT - 20} y={from.y + 27} textAnchor="end">
            {count(band.before)}
          </text>
          {to.height > 0 && (
            <>
              <text className="name" x={RIGHT + 20} y={to.y + 12}>
                {band.disposition === "summarized" ? "summary" : `${count(band.items)} ${band.disposition === "stubbed" ? "stubs" : "items"}`}
              </text>
              <text x={RIGHT + 100} y={to.y + 12}>
                {count(band.after)}
              </text>
            </>
          )}
        </g>
      ))}
    </svg>
  );
}

function bandPath(from: { y: number; height: number }, to: { y: number; height: number }): string {
  const middle = (LEFT + RIGHT) / 2;
  return (
    `M${LEFT} ${from.y}C${middle} ${from.y} ${middle} ${to.y} ${RIGHT} ${to.y}V${to.y + to.height}` +
    `C${middle} ${to.y + to.height} ${middle} ${from.y + from.height} ${LEFT} ${from.y + from.height}Z`
  );
}
