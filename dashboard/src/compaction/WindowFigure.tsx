import { Meter } from "../parts/Meter";
import { count, counted, percent } from "../parts/format";
import "./WindowFigure.css";

interface Props {
  name: string;
  tokens: number;
  limit: number | null;
  items: number | null;
}

const zoneOf = (usage: number) => (usage < 0.7 ? "safe" : usage < 0.85 ? "warning" : usage < 0.95 ? "danger" : "critical");

/** A window in numbers, before or after. */
export function WindowFigure({ name, tokens, limit, items }: Props) {
  const zone = zoneOf(limit ? tokens / limit : 0);
  return (
    <div className="window-figure">
      <div className="text-3">{name}</div>
      <div className="figure">{count(tokens)}</div>
      {limit !== null && <Meter tokens={tokens} limit={limit} zone={zone} />}
      <div className="row">
        <span className="text-2 grow">{items === null ? "" : counted(items, "item")}</span>
        {limit !== null && <span className={`tag ${zone}`}>{percent(tokens / limit)}</span>}
      </div>
    </div>
  );
}
