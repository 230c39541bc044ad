import { Icon } from "../parts/Icon";
import type { ReproductionDocument } from "../api/schema";
import "./Proof.css";

interface Props {
  prompt: ReproductionDocument | undefined;
  checking: boolean;
  onCheck: () => void;
}

/** Whether the prompt that was made again from the log has the bytes that were recorded. */
export function Proof({ prompt, checking, onCheck }: Props) {
  if (!prompt || checking) {
    return (
      <span className="proof" role="status">
        checking the bytes
      </span>
    );
  }
  const [state, words, title] = prompt.ok
    ? ["same", "same bytes", "Made again from the log just now: not one byte differs."]
    : prompt.missing.length
      ? ["gone", "cannot be made again", `${prompt.missing.length} of its contents were erased since.`]
      : ["differs", "other bytes", `Recorded ${prompt.expected}, made now ${prompt.found ?? "nothing"}.`];
  return (
    <button className={`proof ${state}`} title={`${title} Click to check again.`} onClick={onCheck}>
      <Icon name={prompt.ok ? "shield" : "error"} small />
      {words}
      {prompt.ok && " ✓"} <code>sha256 {prompt.expected.slice(0, 12)}…</code>
    </button>
  );
}
