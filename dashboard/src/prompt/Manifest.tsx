import type { ReproductionDocument } from "../api/schema";
import { count, percent } from "../parts/format";
import { colourOf, placeOfSection, reasonText } from "./sections";
import "./Manifest.css";

interface Props {
  prompt: ReproductionDocument;
  marked: string | null;
  onMark: (section: string | null) => void;
}

/** The parts of a prompt with their items and tokens, and what was left out. */
export function Manifest({ prompt, marked, onMark }: Props) {
  const sections = prompt.sections ?? [];
  const total = Math.max(1, prompt.tokens ?? 0);
  const budget = Math.max(total, prompt.budget ?? 0);
  const left = Object.entries(prompt.left_out ?? {}).sort(([, a], [, b]) => b - a);
  const most = Math.max(1, ...sections.map((section) => section.tokens));
  return (
    <section className="manifest" aria-label="Manifest">
      <header>
        <h3>Manifest</h3>
        <span className="text-3">budget {count(budget)}</span>
        <span className="right">
          <b>{count(total)}</b> used, {count(prompt.reserve ?? 0)} for the answer
        </span>
      </header>
      <div className="stack" role="img" aria-label={sections.map((one) => `${one.name} ${count(one.tokens)}`).join(", ")}>
        {sections.map((section) => (
          <i key={section.name} style={{ "--c": colourOf(section.name), width: `${(section.tokens / budget) * 100}%` } as React.CSSProperties} />
        ))}
      </div>
      <table className="table">
        <thead>
          <tr>
            <th>Part</th>
            <th className="num">Items</th>
            <th className="num">Tokens</th>
            <th>Share</th>
          </tr>
        </thead>
        <tbody>
          {sections.map((section) => (
            <tr
              key={section.name}
              className={marked !== null && placeOfSection(marked) === placeOfSection(section.name) ? "marked" : undefined}
              style={{ "--c": colourOf(section.name) } as React.CSSProperties}
              onMouseEnter={() => onMark(section.name)}
              onMouseLeave={() => onMark(null)}
            >
              <td>
                <a href={`#part-${placeOfSection(section.name)}`} onClick={(event) => (event.preventDefault(), show(section.name))} onFocus={() => onMark(section.name)}>
                  <span className="swatch" />
                  {section.name}
                </a>
              </td>
              <td className="num text-2">{section.items.length ? count(section.items.length) : "–"}</td>
              <td className="num">{count(section.tokens)}</td>
              <td>
                <span className="share">
                  <i style={{ width: `${(section.tokens / most) * 100}%` }} />
                </span>
                <span className="text-2 of-all">{percent(section.tokens / total)}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className="left-out">
        <h4>Left out</h4>
        {left.length === 0 && <p className="text-3">Nothing: all that could be shown is in the prompt.</p>}
        <ul>
          {left.map(([reason, items]) => (
            <li key={reason}>
              <b>{count(items)}</b> {reasonText(reason)}
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

function show(section: string): void {
  document.getElementById(`part-${placeOfSection(section)}`)?.scrollIntoView({ block: "start" });
}
