import { useState } from "react";
import { setParams } from "../address/address";
import { useBeginnings } from "../api/events";
import type { EventDocument } from "../api/schema";
import { eventIcon, payloadOf, removalsOf, summarized, titleOf } from "../events/words";
import { count, minutes } from "../parts/format";
import { Icon } from "../parts/Icon";
import { UndoDialog } from "../session/UndoDialog";
import type { EntryProps } from "./Entry";
import { Foldable } from "./Parts";

/** Characters of a summary that are shown: what it replaced stands below. */
const SHORT = 500;
const FIRST = 6;
const MORE = 60;

/** What stands for what was taken out; it opens to that. */
export function SummaryCard({ session, event, compaction, past }: EntryProps) {
  const [open, setOpen] = useState(false);
  const [undoing, setUndoing] = useState(false);
  const payload = payloadOf(event);
  const text = event.contents.find((content) => content.field === "summary" || content.field === "text");
  const replaced = removalsOf(event).flatMap((removal) => removal.items.map((item) => ({ item, disposition: removal.disposition })));
  const [before, after] = [payload.tokens_before, payload.tokens_after] as [number | undefined, number | undefined];
  const undone = compaction?.undone ?? null;
  return (
    <div className="card summary">
      <header>
        <Icon name="summary" small />
        <b>{undone === null ? heading(event) : <s>{heading(event)}</s>}</b>
        <span className="hide-small">
          {event.type === "items.compacted" && `compaction by ${String(payload.algorithm ?? "an agent")}, `}
          {minutes(event.occurred_at)}
        </span>
        <span className="right">
          {undone !== null && <span className="tag">undone at v{undone}</span>}
          {before !== undefined && after !== undefined && (
            <span>
              {count(before)} → <b>{count(after)}</b> <span className="hide-small">tokens</span>
            </span>
          )}
          {replaced.length > 0 && (
            <button className="button quiet compact only-icon" aria-expanded={open} aria-label={`What it replaced: ${replaced.length} items`} onClick={() => setOpen(!open)}>
              <Icon name={open ? "down" : "right"} small />
            </button>
          )}
        </span>
      </header>
      <div className="inner">{text ? <Foldable session={session} event={event} part={text} fold={SHORT} /> : <p className="text-3">Nothing was written in its place.</p>}</div>
      {open && <Replaced session={session} replaced={replaced} undo={past || undone !== null || event.type !== "items.compacted" ? null : () => setUndoing(true)} />}
      {undoing && <UndoDialog session={session} compaction={event.version} items={replaced.length} close={() => setUndoing(false)} />}
    </div>
  );
}

const heading = (event: EventDocument) => (event.type === "summary.made" ? "Session summary" : `Summary of ${summarized(event)}`);

interface ReplacedProps {
  session: string;
  replaced: { item: number; disposition: string }[];
  undo: (() => void) | null;
}

function Replaced({ session, replaced, undo }: ReplacedProps) {
  const [most, setMost] = useState(FIRST);
  const shown = replaced.slice(0, most);
  const begin = useBeginnings(session, shown.map((one) => one.item));
  const left = replaced.length - shown.length;
  return (
    <div className="replaced">
      <ul>
        {shown.map(({ item, disposition }) => {
          const event = begin(item);
          return (
            <li key={item}>
              <button className="version" onClick={() => setParams({ item })}>
                v{item}
              </button>
              {event ? <Icon name={eventIcon(event)} small /> : <span />}
              <span className="cut">{event ? titleOf(event) : "…"}</span>
              <span className={`tag ${disposition}`}>{disposition}</span>
            </li>
          );
        })}
      </ul>
      <div className="more">
        {left > 0 ? (
          <button className="link" onClick={() => setMost(most + MORE)}>
            {count(left)} more items
          </button>
        ) : (
          <span />
        )}
        {undo && (
          <button className="button quiet compact" onClick={undo}>
            <Icon name="backtrack" small /> Undo this compaction
          </button>
        )}
      </div>
    </div>
  );
}
