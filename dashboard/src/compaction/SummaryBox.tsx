import { Markdown } from "../parts/Markdown";
import { count, counted } from "../parts/format";
import "./SummaryBox.css";

interface Props {
  text: string;
  items: number;
  tokens: number | null;
}

/** The summary that stands for what left. */
export function SummaryBox({ text, items, tokens }: Props) {
  return (
    <section className="box summary-box" aria-label="Summary">
      <header>
        <h2>The summary that replaced {counted(items, "item")}</h2>
        {tokens !== null && <span className="right">{count(tokens)} tokens</span>}
      </header>
      <div className="scroll" tabIndex={0}>
        <Markdown text={text} />
      </div>
    </section>
  );
}
