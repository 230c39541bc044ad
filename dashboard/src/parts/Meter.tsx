import { count, percent } from "./format";
import "./Meter.css";

interface Props {
  tokens: number;
  limit: number | null;
  zone: string;
  /** Ended sessions are grey: their zone asks for nothing. */
  ended?: boolean;
}

/** How full a window is, with ticks at 70, 85 and 95 %. */
export function Meter({ tokens, limit, zone, ended }: Props) {
  const usage = limit ? tokens / limit : 0;
  const label = limit ? `${count(tokens)} of ${count(limit)} tokens, ${percent(usage)}, ${zone}` : `${count(tokens)} tokens, no limit`;
  return (
    <span className="meter" role="img" aria-label={label} title={label}>
      <i className={`${ended ? "ended" : zone}${usage > 1 ? " over" : ""}`} style={{ width: `${Math.min(100, usage * 100)}%` }} />
      <b style={{ left: "70%" }} />
      <b style={{ left: "85%" }} />
      <b style={{ left: "95%" }} />
    </span>
  );
}
