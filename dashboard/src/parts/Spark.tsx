/** The usage of a session's window over its versions, small. Read when it comes into sight, two sessions at a time. */
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { get, ofSession } from "../api/client";
import type { SessionDocument, TimelineDocument } from "../api/schema";
import { limitAt, zoneOf } from "../timeline/scale";
import "./Spark.css";

const WIDTH = 112;
const HEIGHT = 26;
const COLUMNS = 56;
/** Longer sessions take the service seconds to read: their timeline is on their own page. */
const LONGEST = 20_000;

let free = 2;
const waiting: (() => void)[] = [];

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (free > 0) free -= 1;
  else await new Promise<void>((go) => waiting.push(go));
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  }
}

export function Spark({ session }: { session: SessionDocument }) {
  const element = useRef<HTMLSpanElement>(null);
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    const watcher = new IntersectionObserver(([entry]) => entry?.isIntersecting && setSeen(true), { rootMargin: "100px" });
    if (element.current) watcher.observe(element.current);
    return () => watcher.disconnect();
  }, []);
  // A session in work is drawn anew every now and then, not at every event.
  const edition = Math.floor(session.version / 20);
  const timeline = useQuery({
    queryKey: ["spark", session.session, edition],
    queryFn: ({ signal }) => inTurn(() => get<TimelineDocument>(ofSession(session.session, "/timeline"), { columns: COLUMNS }, signal)),
    enabled: seen && session.version > 1 && session.version <= LONGEST,
    staleTime: Infinity,
  });
  return (
    <span className={session.status === "ended" ? "spark ended" : "spark"} ref={element}>
      {timeline.data && <Line timeline={timeline.data} />}
    </span>
  );
}

function Line({ timeline }: { timeline: TimelineDocument }) {
  const { columns, limits, newest } = timeline;
  const most = Math.max(1, ...columns.map((column) => column.tokens)) * 1.1;
  const limited = limits.some((change) => change.limit !== null);
  const points = columns.map((column) => {
    const share = column.tokens / (limitAt(limits, column.version) ?? most);
    return { x: ((column.version - 1) / Math.max(1, newest - 1)) * WIDTH, y: HEIGHT - Math.min(1, share) * (HEIGHT - 2), share };
  });
  const line = points.map(({ x, y }, index) => `${index ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
  const hot = limited ? points.filter((point) => point.share >= 0.7) : [];
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} aria-hidden="true">
      <path className="area" d={`${line}L${points.at(-1)?.x ?? 0} ${HEIGHT}L0 ${HEIGHT}Z`} />
      <path className="line" d={line} />
      {hot.map((point) => (
        <circle key={point.x} className={zoneOf(point.share)} cx={point.x} cy={point.y} r="1.3" />
      ))}
      {limited && <line x1="0" x2={WIDTH} y1={HEIGHT * 0.3 + 1} y2={HEIGHT * 0.3 + 1} />}
    </svg>
  );
}
