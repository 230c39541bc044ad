import { isPerson, speakerOf } from "../events/words";
import { Avatar } from "../parts/Avatar";
import { count, minutes } from "../parts/format";
import type { Standing } from "../session/standing";
import type { EntryProps } from "./Entry";
import { Parts } from "./Parts";

/** A message: who, when, and the text. */
export function MessageEntry({ session, event, where }: EntryProps & { where: Standing | "event" }) {
  const brought = event.effects.brings as { tokens?: number } | undefined;
  const person = isPerson(event);
  return (
    <>
      <div className="who">
        <Avatar name={speakerOf(event)} person={person} />
        <b>{speakerOf(event)}</b> {minutes(event.occurred_at)}
        <span className="right">
          {where === "stored" && <span className="tag dashed">stored</span>}
          {where === "summarized" && <span className="tag summarized">summarized</span>}
          {brought?.tokens !== undefined && <span title="Tokens">{count(brought.tokens)}</span>}
        </span>
      </div>
      <Parts session={session} event={event} />
    </>
  );
}
