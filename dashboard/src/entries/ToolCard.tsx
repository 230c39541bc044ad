import type { ContentDocument, EventDocument } from "../api/schema";
import { callText, partsOf, speakerOf } from "../events/words";
import { count, minutes } from "../parts/format";
import { Icon } from "../parts/Icon";
import type { Standing } from "../session/standing";
import type { EntryProps } from "./Entry";
import { Foldable, Parts } from "./Parts";

/** Characters of a result that are shown before it is opened. */
const SHORT = 600;

/** Tool calls with their results. */
export function ToolCard({ session, event, results = [], where, now }: EntryProps & { where: Standing | "event" }) {
  const calls = partsOf(event).filter((part) => part.kind === "tool_use");
  return (
    <>
      <Parts session={session} event={event} without={["tool_use"]} />
      {calls.map((call) => (
        <div className="card tool" key={call.field}>
          <header className="tool-call">
            <Icon name="tool" small />
            <b className="cut grow" title={callText(call, 2000)}>
              {callText(call)}
            </b>
            <span className="right">
              {where === "stubbed" && <span className="tag stubbed">stubbed</span>}
              {where === "summarized" && <span className="tag summarized">summarized</span>}
              {where === "stored" && <span className="tag dashed">stored</span>}
              <span className="hide-small">
                {speakerOf(event)} · {minutes(event.occurred_at)}
                {took(event, answerTo(results, call)?.event)}
              </span>
            </span>
          </header>
          <Result session={session} answer={answerTo(results, call)} now={now} />
        </div>
      ))}
    </>
  );
}

interface Answer {
  event: EventDocument;
  part: ContentDocument;
}

/** The result of a call: by its id, or the only one there is. */
function answerTo(results: EventDocument[], call: ContentDocument): Answer | undefined {
  for (const event of results) {
    const part = partsOf(event).find((one) => one.call_id === call.call_id);
    if (part) return { event, part };
  }
  return undefined;
}

function took(event: EventDocument, answer: EventDocument | undefined): string {
  if (!answer) return "";
  const seconds = (new Date(answer.occurred_at).getTime() - new Date(event.occurred_at).getTime()) / 1000;
  if (seconds < 0.05) return "";
  return ` · ${seconds < 10 ? seconds.toFixed(1) : count(Math.round(seconds))} s`;
}

function failed({ event, part }: Answer): boolean {
  const extras = event.contents.find((content) => content.field === `${part.field}.extras`);
  return /"is_error":\s*true/.test(extras?.text ?? "");
}

function Result({ session, answer, now }: { session: string; answer: Answer | undefined; now: number }) {
  if (!answer) return <pre className="tool-output text-3">no result up to version {count(now)}</pre>;
  const { event, part } = answer;
  if (part.erased) return <pre className="tool-output text-3">erased</pre>;
  const short = part.text !== null && part.text.length > SHORT && part.text.length <= 1400;
  const className = failed(answer) ? "tool-output failed" : "tool-output";
  if (part.text === null) return <pre className={className}>{`${part.media_type}, ${count(part.size)} bytes`}</pre>;
  if (short || part.text.length > SHORT) return <Folded session={session} event={event} part={part} className={className} />;
  return <pre className={className}>{part.text || "(empty)"}</pre>;
}

function Folded({ session, event, part, className }: Answer & { session: string; className: string }) {
  return (
    <details className="tool-fold">
      <summary>
        <pre className={className}>{`${part.text!.slice(0, 320).trimEnd()} …`}</pre>
        <span className="link">
          full result, {count(part.size)} bytes, v{event.version}
        </span>
      </summary>
      <Foldable session={session} event={event} part={part} plain={className} />
    </details>
  );
}
