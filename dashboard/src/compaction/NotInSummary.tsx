/** What a compaction took out and its summary does not tell: the facts, the text of them for a prompt, and the way back. */
import { useEffect, useState } from "react";
import type { LostFactDocument, ShownSessionDocument } from "../api/schema";
import { Icon, type IconName } from "../parts/Icon";
import { Empty, Loaded } from "../parts/States";
import { VersionLink } from "../parts/VersionLink";
import { count, counted } from "../parts/format";
import { ForkDialog } from "../session/ForkDialog";
import { useMayWrite } from "../shell/may";
import { useLost } from "./queries";
import "./NotInSummary.css";

/** The most characters of the text. */
const LENGTHS = { Short: 2000, Long: 6000 };
type Length = keyof typeof LENGTHS;

const KINDS: Record<string, { name: string; icon: IconName }> = {
  request: { name: "Last message of the user", icon: "message" },
  instruction: { name: "Said by the user", icon: "message" },
  pending: { name: "Calls without a result", icon: "clock" },
  todo: { name: "To do", icon: "open" },
  question: { name: "Open questions", icon: "question" },
  failure: { name: "Failures", icon: "error" },
  decision: { name: "Decisions", icon: "decision" },
  rejected: { name: "Refused by the user", icon: "stop" },
  file: { name: "Files", icon: "file" },
  rule: { name: "Rules that were loaded", icon: "lock" },
  command: { name: "Commands", icon: "tool" },
};

interface Props {
  session: ShownSessionDocument;
  compaction: number;
}

export function NotInSummary({ session, compaction }: Props) {
  const [length, setLength] = useState<Length>("Short");
  const [forking, setForking] = useState(false);
  const mayWrite = useMayWrite();
  const lost = useLost(session.session, compaction, LENGTHS[length]);
  const facts = lost.data?.facts ?? [];
  const text = lost.data?.text ?? "";
  return (
    <section className="box not-in-summary" aria-label="Not in the summary">
      <header>
        <h2>Not in the summary</h2>
        {facts.length > 0 && <span className="tag">{counted(facts.length, "fact")}</span>}
        {text && (length === "Long" || facts.some((fact) => !fact.shown)) && (
          <span className="segments right">
            {(Object.keys(LENGTHS) as Length[]).map((one) => (
              <button key={one} aria-pressed={one === length} title={`The text for a prompt has at most ${count(LENGTHS[one])} characters`} onClick={() => setLength(one)}>
                {one}
              </button>
            ))}
          </span>
        )}
      </header>
      <Loaded of={lost} what="What the summary left out">
        {({ facts, text, told }) => (
          <>
            {text ? (
              <p className="note">
                {count(facts.filter((fact) => fact.shown).length)} of {count(facts.length)} are in the text for a prompt, {count(text.length)} characters. The summary tells {count(told)} more.
              </p>
            ) : (
              <Empty title="The summary tells all that is needed.">
                {told > 0 && `It tells ${counted(told, "fact")} of what left.`} {facts.length > 0 && "What else is missing can be found again:"}
              </Empty>
            )}
            {facts.length > 0 && (
              <div className="scroll" tabIndex={0} role="group" aria-label="Facts">
                {groupsOf(facts).map(([kind, found]) => (
                  <Group key={kind} session={session.session} kind={kind} facts={found} inText={text !== ""} />
                ))}
              </div>
            )}
          </>
        )}
      </Loaded>
      <footer>
        {text && <CopyText key={text} text={text} />}
        {mayWrite && compaction > 1 && (
          <button className="button" title="A new session with the history up to the version before the compaction" onClick={() => setForking(true)}>
            <Icon name="fork" small />
            Fork from before…
          </button>
        )}
      </footer>
      {forking && <ForkDialog session={session} at={compaction - 1} close={() => setForking(false)} />}
    </section>
  );
}

/** Facts by kind, in the order in which they come. */
function groupsOf(facts: LostFactDocument[]): [string, LostFactDocument[]][] {
  const groups = new Map<string, LostFactDocument[]>();
  for (const fact of facts) groups.set(fact.kind, [...(groups.get(fact.kind) ?? []), fact]);
  return [...groups];
}

interface GroupProps {
  session: string;
  kind: string;
  facts: LostFactDocument[];
  /** Whether there is a text that a fact could be in. */
  inText: boolean;
}

function Group({ session, kind, facts, inText }: GroupProps) {
  const { name, icon } = KINDS[kind] ?? { name: kind, icon: "box" };
  const code = ["pending", "failure", "file", "rule", "command"].includes(kind);
  return (
    <section>
      <h3 className="section-head">
        <Icon name={icon} small />
        {name} <i>{count(facts.length)}</i>
      </h3>
      <ul>
        {facts.map((fact, place) => (
          <li key={place} className={inText && !fact.shown ? "left-out" : undefined}>
            <span className={code ? "words code" : "words"} title={fact.text}>
              {fact.text}
            </span>
            <VersionLink session={session} version={fact.item} />
            {(fact.status || fact.note || (inText && !fact.shown)) && (
              <small>
                {[fact.status?.toLowerCase(), fact.note, inText && !fact.shown && "not in the text"].filter(Boolean).join(" · ")}
              </small>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function CopyText({ text }: { text: string }) {
  const [said, setSaid] = useState<string | null>(null);
  useEffect(() => {
    if (!said) return;
    const timer = setTimeout(() => setSaid(null), 1500);
    return () => clearTimeout(timer);
  }, [said]);
  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setSaid("Copied");
    } catch {
      setSaid("The browser did not allow it");
    }
  }
  return (
    <button className="button primary" onClick={() => void copy()}>
      <Icon name={said === "Copied" ? "check" : "copy"} small />
      <span role="status">{said ?? "Copy for the next prompt"}</span>
    </button>
  );
}
