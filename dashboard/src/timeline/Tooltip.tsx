import type { LimitChangeDocument, TimelineDocument, TimelineMarkDocument } from "../api/schema";
import { clock, count, money, percent } from "../parts/format";
import { said } from "./marks";
import { columnAt, limitAt, zoneOf } from "./scale";

interface Props {
  x: number;
  version: number;
  timeline: TimelineDocument;
  limits: LimitChangeDocument[];
  marks: TimelineMarkDocument[];
  gone: (version: number) => boolean;
}

const WORDS: Record<string, string> = {
  "message.added": "Message",
  "tool.called": "Tool call",
  "tool.answered": "Tool result",
  "model.called": "Model call",
  "context.assembled": "Context",
  "items.compacted": "Compaction",
  "session.started": "Session started",
};

/** What an event's type is called where there is little room. */
export function eventName(type: string): string {
  return WORDS[type] ?? type.replace(/^[\w-]+:/, "").replaceAll(/[._]/g, " ");
}

/** A version in two lines, above the chart. */
export function Tooltip({ x, version, timeline, limits, marks, gone }: Props) {
  const column = columnAt(timeline.columns, version);
  if (!column) return null;
  const here = marks.filter((mark) => mark.version === version);
  const call = timeline.calls?.find((one) => one.version === version);
  const limit = limitAt(limits, version);
  const share = limit ? column.tokens / limit : null;
  return (
    <div className="tooltip" style={{ left: x }} role="presentation">
      <b>v{count(version)}</b> · {here.map(said).join(", ") || (timeline.step > 1 ? `${count(timeline.step)} versions here` : eventName(column.type))}
      {call && ` · ${call.model}, ${count(call.input_tokens ?? 0)} in${call.cost_usd === null ? "" : `, ${money(call.cost_usd)}`}`}
      <br />
      {count(column.tokens)} tokens{share !== null && ` · ${percent(share)} ${zoneOf(share)}`} · {clock(column.at)}
      {gone(version) && " · abandoned"}
    </div>
  );
}
