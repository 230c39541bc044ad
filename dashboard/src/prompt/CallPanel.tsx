import type { ReproductionDocument, RecordedPromptDocument } from "../api/schema";
import { VersionLink } from "../parts/VersionLink";
import { count, counted, money, percent } from "../parts/format";
import type { CallWithAnswer } from "./queries";
import type { Reuse } from "./reuse";
import "./CallPanel.css";

interface Props {
  session: string;
  prompt: RecordedPromptDocument;
  made: ReproductionDocument;
  told: CallWithAnswer | null | undefined;
  reuse: Reuse | null;
  previous: number | null;
  onlyFresh: boolean;
  onOnlyFresh: (only: boolean) => void;
}

/** What was sent with a prompt, what came back, what it cost, and how it differs from the prompt before. */
export function CallPanel({ session, prompt, made, told, reuse, previous, onlyFresh, onOnlyFresh }: Props) {
  const call = told?.call;
  const parameters = Object.entries(call?.parameters ?? {});
  const tools = made.sections?.find((section) => section.name === "tools");
  return (
    <>
      <section aria-label="Since the previous prompt" className="panel">
        <h3>
          Since the previous prompt {previous !== null && <VersionLink session={session} version={previous} view="prompts" />}
          {reuse && (
            <button className="button compact right" aria-pressed={onlyFresh} onClick={() => onOnlyFresh(!onlyFresh)}>
              New only
            </button>
          )}
        </h3>
        {reuse ? (
          <p>
            <b className="added">+{count(reuse.fresh.size)}</b> new, <b className="removed">−{count(reuse.gone)}</b> gone. The first{" "}
            {percent(reuse.share)} is the same: about <b>{count(reuse.tokens)}</b> tokens a cache could reuse
            {call?.cached_tokens != null && <>, {count(call.cached_tokens)} came from the provider&apos;s</>}.
          </p>
        ) : (
          <p>{previous === null ? "It is the first one." : "The one before cannot be made again."}</p>
        )}
      </section>
      <section aria-label="Tools and parameters" className="panel">
        <h3>
          Tools and parameters
          <span className="right">
            {counted(prompt.tools.length, "tool")}{tools ? `, ${count(tools.tokens)} tokens` : ""}
          </span>
        </h3>
        <div className="names">
          {prompt.tools.map((tool) => (
            <span key={tool} className="tag mono">
              {tool}
            </span>
          ))}
        </div>
        <dl className="facts-list">
          {[["format", prompt.format], ["policy", prompt.policy], ["agent", prompt.agent ?? "any"], ["window", prompt.window], ...parameters].map(
            ([name, value]) => (
              <div key={String(name)}>
                <dt>{String(name)}</dt>
                <dd>{typeof value === "string" ? value : JSON.stringify(value)}</dd>
              </div>
            ),
          )}
          {prompt.query !== null && (
            <div className="wide">
              <dt>query</dt>
              <dd>{prompt.query}</dd>
            </div>
          )}
        </dl>
      </section>
      <section aria-label="Answer" className="panel">
        <h3>
          Answer
          <span className="right">
            {call?.output_tokens != null ? `${count(call.output_tokens)} tokens` : ""}
            {call?.stop_reason ? `, ${call.stop_reason}` : ""}
          </span>
        </h3>
        {call?.error && <p className="failed">{call.error}</p>}
        {told?.answer ? <pre className="answer">{told.answer.text}</pre> : !call?.error && <p>{call ? "The answer was not recorded." : "No call was reported with this prompt."}</p>}
        {(told?.answer || told?.ledTo.length) && (
          <div className="names">
            {told.answer && <Led session={session} version={told.answer.version} what="message" />}
            {told.ledTo.map((one) => (
              <Led key={one.version} session={session} version={one.version} what={`led to ${one.type}`} />
            ))}
          </div>
        )}
      </section>
      {call && (
        <section aria-label="Cost" className="panel">
          <h3>
            Cost <span className="right">{call.cost_usd === null ? "no price known" : money(call.cost_usd)}</span>
          </h3>
          <dl className="facts-list">
            {[
              ["in", call.input_tokens],
              ["out", call.output_tokens],
              ["from the cache", call.cached_tokens],
              ["into the cache", call.cache_write_tokens],
              ["thinking", call.reasoning_tokens],
              ["counted here", call.assembled_tokens],
            ]
              .filter(([, tokens]) => tokens !== null)
              .map(([name, tokens]) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>{count(tokens as number)}</dd>
                </div>
              ))}
          </dl>
        </section>
      )}
    </>
  );
}

function Led({ session, version, what }: { session: string; version: number; what: string }) {
  return (
    <span className="tag line">
      {what} <VersionLink session={session} version={version} />
    </span>
  );
}
