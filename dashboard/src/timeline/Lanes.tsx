/** The branches as lanes: the current one solid, what was left one lane lower, forks as an arrow out. */
import { Fragment } from "react";
import type { BranchDocument } from "../api/schema";
import { runOf, type Abandoned, type Range } from "./branches";
import type { Geometry, ToX, View } from "./scale";

interface Props {
  abandoned: Abandoned[];
  forks: BranchDocument[];
  /** The versions that lead to the cursor, and to the newest version. */
  path: Range[];
  current: Range[];
  cursor: number;
  view: View;
  place: Geometry;
  toX: ToX;
}

const TICK = 3;

export function Lanes({ abandoned, forks, path, current, cursor, view, place, toX }: Props) {
  const { lane, lowerLane } = place;
  const here = runOf(abandoned, cursor);
  const inSight = (first: number, last: number) => last >= view.from - 1 && first <= view.to + 1;
  /** Where the accent ends on the current branch: at the cursor, or where the cursor's branch leaves it. */
  const reached = here ? Math.max(0, ...path.flatMap((range) => (current.some((one) => one.first <= range.first && range.first <= one.last) ? [range.last] : []))) : cursor;
  /** Where the names of left branches are, so that no other text is written over them. */
  const labels = abandoned.map((run) => [toX(run.base ?? run.first), toX(run.last) + (toX(run.last) - toX(run.base ?? run.first) > 60 ? 110 : 10)] as const);
  return (
    <g className="lanes">
      {current.map((range) => (
        <Fragment key={range.first}>
          {reached < range.last && (
            <line className="lane off" x1={toX(Math.max(range.first, reached))} x2={toX(range.last)} y1={lane} y2={lane} />
          )}
          {reached >= range.first && (
            <line className="lane on" x1={toX(range.first)} x2={toX(Math.min(range.last, reached))} y1={lane} y2={lane} />
          )}
        </Fragment>
      ))}
      {abandoned.map((run) => {
        const base = run.base ?? run.first;
        if (!inSight(base, run.left)) return null;
        const [x0, x2] = [toX(base), toX(run.last)];
        const mine = run === here;
        if (x2 - x0 < TICK) return <line key={run.first} className="gone" x1={x0} x2={x0} y1={lane} y2={lowerLane} />;
        const bend = Math.min(8, Math.max(3, toX(run.first) - x0));
        const end = Math.max(x2, x0 + bend + 4);
        return (
          <g key={run.first} className={mine ? "left-branch mine" : "left-branch"}>
            <line className="bridge" x1={x0} x2={toX(run.left)} y1={lane} y2={lane} />
            <path d={`M${x0} ${lane}C${x0 + bend} ${lane} ${x0} ${lowerLane} ${x0 + bend + 2} ${lowerLane}L${end} ${lowerLane}`} />
            <circle cx={end} cy={lowerLane} r="3" />
            {x2 - x0 > 60 && !place.small && !forks.some((fork) => toX(fork.at) > end - 20 && toX(fork.at) < end + 110) && (
              <text x={end + 9} y={lowerLane + 4}>
                {x2 - x0 > 110 ? `abandoned at ${run.left}` : "abandoned"}
              </text>
            )}
          </g>
        );
      })}
      {forks.map((fork) => {
        if (!inSight(fork.at, fork.at)) return null;
        const x = toX(fork.at);
        return (
          <a key={fork.session} href={`/sessions/${fork.session}`} className="fork" aria-label={`Fork at version ${fork.at}`}>
            <path d={`M${x} ${lane}C${x + 8} ${lane} ${x} ${lowerLane} ${x + 10} ${lowerLane}h14m-2 -3l4 3-4 3`} />
            {!place.small && !labels.some(([from, to]) => x > from - 40 && x < to) && (
              <text x={x + 31} y={lowerLane + 4}>
                fork
              </text>
            )}
          </a>
        );
      })}
    </g>
  );
}
