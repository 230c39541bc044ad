import { Link } from "../address/Link";
import { eventIcon, eventName, payloadOf, speakerOf, textOf, titleOf } from "../events/words";
import { count, minutes } from "../parts/format";
import { Icon } from "../parts/Icon";
import type { EntryProps } from "./Entry";
import { Foldable } from "./Parts";
import "./NoteEntry.css";

/** Titles longer than this are texts of their own. */
const LINE = 110;

/** Everything else: one line, and its fields one click away. */
export function NoteEntry({ session, event }: EntryProps) {
  const title = titleOf(event);
  const why = textOf(event, "why");
  const text = event.contents.find((content) => !content.field.endsWith("extras") && content.field !== "why" && content.text !== null);
  const long = text !== undefined && (text.text?.length ?? 0) > LINE;
  const brought = event.effects.brings as { tokens?: number } | undefined;
  const payload = payloadOf(event);
  return (
    <>
      <details className="note-fields">
        <summary className="note" title={`${event.type}: show its fields`}>
        <Icon name={eventIcon(event)} small />
        <b>{eventName(event)}</b>
        {!long && title !== eventName(event) && <span className="cut">{title}</span>}
        {why && <span className="cut text-3">“{why}”</span>}
        <span className="right text-3">
          <span>
            <span className="hide-small">{speakerOf(event)} · </span>
            {minutes(event.occurred_at)}
          </span>
          {brought?.tokens !== undefined && <span>{count(brought.tokens)}</span>}
        </span>
        </summary>
        <pre className="tool-output">{JSON.stringify({ type: event.type, payload: event.payload, effects: event.effects, cause: event.cause, caller: event.caller }, null, 2)}</pre>
      </details>
      {event.type === "session.backtracked" && typeof payload.abandoned === "number" && (
        <Link className="link note-branch" to={`/sessions/${session}?v=${payload.abandoned}`}>
          The branch that was left, v{count(payload.abandoned)}
        </Link>
      )}
      {long && text && (
        <div className="note-text">
          <Foldable session={session} event={event} part={text} plain={text.media_type === "text/plain" ? undefined : "tool-output"} />
        </div>
      )}
    </>
  );
}
