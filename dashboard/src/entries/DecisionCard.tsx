import { payloadOf, speakerOf, textOf } from "../events/words";
import { minutes } from "../parts/format";
import { Icon } from "../parts/Icon";
import type { EntryProps } from "./Entry";

/** A decision: because, instead of, from. */
export function DecisionCard({ event }: EntryProps) {
  const payload = payloadOf(event);
  const rationale = textOf(event, "rationale");
  const instead = event.contents.filter((content) => content.field.startsWith("alternatives")).map((content) => content.text);
  const from = event.cause;
  const by = typeof payload.decided_by === "string" ? payload.decided_by : speakerOf(event);
  return (
    <div className="card decision">
      <header>
        <Icon name="decision" small />
        <b>{textOf(event, "text") ?? "erased"}</b>
        <span className="right">
          <span className="tag accent">decision</span>
          <span className="hide-small">
            {by} · {minutes(event.occurred_at)}
          </span>
        </span>
      </header>
      {(rationale !== null || instead.length > 0 || from !== null) && (
        <dl className="inner">
          {rationale !== null && (
            <>
              <dt>Because</dt>
              <dd>{rationale}</dd>
            </>
          )}
          {instead.length > 0 && (
            <>
              <dt>Instead of</dt>
              <dd>
                {instead.map((text, index) => (
                  <span key={index}>
                    {index > 0 && ", "}
                    <s>{text ?? "erased"}</s>
                  </span>
                ))}
              </dd>
            </>
          )}
          {from !== null && (
            <>
              <dt>From</dt>
              <dd>
                <a className="version" href={`#v${from}`}>
                  v{from}
                </a>
              </dd>
            </>
          )}
        </dl>
      )}
    </div>
  );
}
