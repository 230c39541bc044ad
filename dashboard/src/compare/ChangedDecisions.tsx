import type { DecisionDocument, DiffDocument } from "../api/schema";
import { VersionLink } from "../parts/VersionLink";
import { counted } from "../parts/format";
import { Letter } from "./Letter";
import "./ChangedDecisions.css";

interface Props {
  session: string;
  diff: DiffDocument;
}

/** Decisions that only one of the versions has. */
export function ChangedDecisions({ session, diff }: Props) {
  const { decisions_gone: gone, decisions_added: added } = diff;
  const rows = Math.max(gone.length, added.length);
  return (
    <section className="box changed-decisions" aria-label="Decisions">
      <header>
        <h2>Decisions</h2>
        <span className="right">{rows ? `${counted(rows, "decision")} changed` : "none differs"}</span>
      </header>
      {rows > 0 && (
        <div className="scroll pairs" tabIndex={0} role="region" aria-label="Changed decisions">
          {Array.from({ length: rows }, (_, row) => (
            <div key={row} className="pair">
              <DecisionOf session={session} decision={gone[row]} letter="A" />
              <DecisionOf session={session} decision={added[row]} letter="B" />
            </div>
          ))}
        </div>
      )}
    </section>
  );
}

function DecisionOf({ session, decision, letter }: { session: string; decision: DecisionDocument | undefined; letter: "A" | "B" }) {
  if (!decision) return <div />;
  return (
    <div className={letter === "A" ? "gone" : "came"}>
      <div className="row">
        <Letter name={letter} />
        <b className="grow">{decision.text ?? "erased"}</b>
        <VersionLink session={session} version={decision.item} />
      </div>
      {decision.rationale && <p>{decision.rationale}</p>}
    </div>
  );
}
