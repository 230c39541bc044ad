import type { CSSProperties } from "react";
import type { ContextDocument } from "../api/schema";
import { count } from "../parts/format";
import { colourOf } from "../prompt/sections";
import "./PartTokens.css";

interface Props {
  a: ContextDocument;
  b: ContextDocument;
}

/** The tokens of each part of both prompts. */
export function PartTokens({ a, b }: Props) {
  const names = [...new Set([...b.sections, ...a.sections].map((section) => section.name))];
  const tokens = (context: ContextDocument, name: string) => context.sections.find((section) => section.name === name)?.tokens ?? 0;
  const rows = names.map((name) => ({ name, a: tokens(a, name), b: tokens(b, name) }));
  const most = Math.max(1, ...rows.flatMap((row) => [row.a, row.b]));
  return (
    <section className="box part-tokens" aria-label="Tokens by part">
      <header>
        <h2>Tokens by part</h2>
        <span className="right">
          <span className="key a">A</span>
          <span className="key b">B</span>
        </span>
      </header>
      <div className="scroll" tabIndex={0} role="region" aria-label="Parts">
        <table className="table">
          <thead className="for-readers">
            <tr>
              <th>Part</th>
              <th>A</th>
              <th>B</th>
              <th>Difference</th>
              <th>Share</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.name} style={{ "--c": colourOf(row.name) } as CSSProperties}>
                <td>
                  <span className="row">
                    <span className="swatch" />
                    {row.name}
                  </span>
                </td>
                <td className="num">{count(row.a)}</td>
                <td className="num">{count(row.b)}</td>
                <td className={`num ${row.b > row.a ? "more" : row.b < row.a ? "less" : "text-3"}`}>
                  {row.b > row.a ? "+" : row.b < row.a ? "−" : ""}
                  {count(Math.abs(row.b - row.a))}
                </td>
                <td className="bars">
                  <i className="a" style={{ width: `${(row.a / most) * 100}%` }} />
                  <i className="b" style={{ width: `${(row.b / most) * 100}%` }} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
