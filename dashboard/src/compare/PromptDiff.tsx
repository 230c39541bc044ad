import { useVirtualizer } from "@tanstack/react-virtual";
import { useMemo, useRef, useState } from "react";
import { useKeys } from "../address/keys";
import type { ContextDocument } from "../api/schema";
import { count, counted } from "../parts/format";
import { compare, promptLines, type Row, type Side } from "./lines";
import "./PromptDiff.css";

interface Props {
  a: ContextDocument;
  b: ContextDocument;
}

const SINGLE = 20;

/** The prompts of two versions beside one another, or in one column. */
export function PromptDiff({ a, b }: Props) {
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const [column, setColumn] = useState(false);
  const before = useMemo(() => promptLines(a.pieces), [a]);
  const after = useMemo(() => promptLines(b.pieces), [b]);
  const { rows, removed, added } = useMemo(() => compare(before, after, open), [before, after, open]);
  const box = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => SINGLE,
    overscan: 20,
    initialRect: { width: 0, height: 600 },
  });
  const changes = useMemo(() => rows.flatMap((row, place) => (row.kind === "changed" && rows[place - 1]?.kind !== "changed" ? [place] : [])), [rows]);

  function next() {
    const first = virtual.getVirtualItems().find((item) => item.end > (virtual.scrollOffset ?? 0) + 2 * SINGLE)?.index ?? 0;
    const to = changes.find((place) => place > first) ?? changes[0];
    if (to !== undefined) virtual.scrollToIndex(to, { align: "start" });
  }
  useKeys({ n: next });

  return (
    <section className="box prompt-diff" aria-label="Prompt text">
      <header>
        <h2>Prompt text</h2>
        <span className="tag">next call</span>
        <span className="right">
          <span>
            <b className="removed">−{count(removed)}</b> <b className="added">+{count(added)}</b> lines
          </span>
          <span className="segments hide-small">
            <button aria-pressed={!column} onClick={() => setColumn(false)}>
              Side by side
            </button>
            <button aria-pressed={column} onClick={() => setColumn(true)}>
              One column
            </button>
          </span>
          <button className="button compact quiet" disabled={!changes.length} onClick={next}>
            Next change <kbd>N</kbd>
          </button>
        </span>
      </header>
      <div className="scroll rows" ref={box} tabIndex={0} role="region" aria-label="Lines">
        <div className={column ? "lines column" : "lines"} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map((item) => (
            <div key={item.key} data-index={item.index} ref={virtual.measureElement} className="line" style={{ transform: `translateY(${item.start}px)` }}>
              <RowOf row={rows[item.index]!} onOpen={(key) => setOpen(new Set([...open, key]))} />
            </div>
          ))}
        </div>
        {!rows.length && <p className="text-3 nothing">Both prompts are empty.</p>}
      </div>
    </section>
  );
}

function RowOf({ row, onOpen }: { row: Row; onOpen: (key: number) => void }) {
  if (row.kind === "section") return <div className="head">{row.section}</div>;
  if (row.kind === "fold") {
    return (
      <button className="head" onClick={() => onOpen(row.key)}>
        {row.section} · {counted(row.lines, "same line")}
      </button>
    );
  }
  return (
    <>
      <SideOf side={row.left} name={row.kind === "changed" ? "removed" : "same"} />
      <SideOf side={row.right} name={row.kind === "changed" ? "added" : "same"} />
    </>
  );
}

function SideOf({ side, name }: { side: Side | null; name: "same" | "removed" | "added" }) {
  if (!side) return <div className="side absent" />;
  return (
    <div className={`side ${name}`}>
      <u>{side.number}</u>
      <p>
        {name !== "same" && <span className="for-readers">{name}: </span>}
        {side.words.map((word, place) => (word.changed && side.words.length > 1 ? <mark key={place}>{word.text}</mark> : word.text))}
      </p>
    </div>
  );
}
