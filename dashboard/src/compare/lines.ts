/** Two prompts line by line: what is the same, what is on one side alone, and which words differ in a changed line. */
import { diffArrays, diffWordsWithSpace } from "diff";
import type { PromptPieceDocument } from "../api/schema";
import { linesOf } from "../prompt/messages";

export interface Line {
  section: string;
  text: string;
}

export interface Word {
  text: string;
  changed: boolean;
}

export interface Side {
  number: number;
  words: Word[];
}

export type Row =
  | { kind: "section"; section: string }
  | { kind: "fold"; key: number; lines: number; section: string }
  | { kind: "same" | "changed"; left: Side | null; right: Side | null };

export interface Comparison {
  rows: Row[];
  removed: number;
  added: number;
}

/** The lines of a prompt, in its order. */
export function promptLines(pieces: PromptPieceDocument[]): Line[] {
  return pieces.flatMap((piece) => {
    const lines = piece.message ? linesOf(piece.message) : (piece.text ?? "").split("\n");
    return lines.map((text) => ({ section: piece.section, text }));
  });
}

/** Same lines that stand beside a change; more of them are folded. */
const CONTEXT = 2;
const LEAST_FOLD = 4;
/** Longer lines are not compared word by word. */
const LONG = 4000;
const PATIENCE = 1500;

interface Block {
  same: boolean;
  left: Line[];
  right: Line[];
}

function blocksOf(before: Line[], after: Line[]): Block[] {
  const key = (line: Line) => `${line.section}\n${line.text}`;
  const parts = diffArrays(before.map(key), after.map(key), { timeout: PATIENCE });
  // Too different to be compared in time.
  if (!parts) return [{ same: false, left: before, right: after }];
  const blocks: Block[] = [];
  let left = 0;
  let right = 0;
  for (const part of parts) {
    const length = part.value.length;
    if (!part.added && !part.removed) {
      blocks.push({ same: true, left: before.slice(left, left + length), right: after.slice(right, right + length) });
    } else {
      let block = blocks.at(-1);
      if (!block || block.same) {
        block = { same: false, left: [], right: [] };
        blocks.push(block);
      }
      if (part.removed) block.left.push(...before.slice(left, left + length));
      else block.right.push(...after.slice(right, right + length));
    }
    if (!part.added) left += length;
    if (!part.removed) right += length;
  }
  return blocks;
}

function wordsOf(left: string, right: string): [Word[], Word[]] {
  const whole = (text: string): Word[] => [{ text, changed: true }];
  if (left.length + right.length > LONG) return [whole(left), whole(right)];
  const parts = diffWordsWithSpace(left, right);
  const same = parts.reduce((sum, part) => (part.added || part.removed ? sum : sum + part.value.trim().length), 0);
  // Lines that share little are other lines.
  if (same * 2 < Math.max(left.length, right.length)) return [whole(left), whole(right)];
  const without = (gone: "added" | "removed") =>
    parts.filter((part) => !part[gone]).map((part) => ({ text: part.value, changed: part.added || part.removed }));
  return [without("added"), without("removed")];
}

/** Compares two prompts. Folds that are open are shown in full. */
export function compare(before: Line[], after: Line[], open: ReadonlySet<number>): Comparison {
  const rows: Row[] = [];
  let [removed, added, left, right] = [0, 0, 0, 0];
  let section = "";

  function head(line: Line | undefined) {
    if (!line || line.section === section) return;
    section = line.section;
    rows.push({ kind: "section", section });
  }

  function same(lines: Line[]) {
    for (const line of lines) {
      head(line);
      const words = [{ text: line.text, changed: false }];
      rows.push({ kind: "same", left: { number: ++left, words }, right: { number: ++right, words } });
    }
  }

  function unchanged(lines: Line[], first: boolean, last: boolean) {
    const above = first ? 0 : CONTEXT;
    const hidden = lines.length - above - (last ? 0 : CONTEXT);
    const key = left + 1;
    if (hidden < LEAST_FOLD || open.has(key)) return same(lines);
    same(lines.slice(0, above));
    const folded = lines.slice(above, above + hidden);
    rows.push({ kind: "fold", key, lines: hidden, section: [...new Set(folded.map((line) => line.section))].join(", ") });
    section = folded.at(-1)!.section;
    left += hidden;
    right += hidden;
    same(lines.slice(above + hidden));
  }

  function changed(block: Block) {
    removed += block.left.length;
    added += block.right.length;
    // Beside one another stands what is of one section.
    for (const name of new Set([...block.left, ...block.right].map((line) => line.section))) {
      const of = (lines: Line[]) => lines.filter((line) => line.section === name);
      const [before, after] = [of(block.left), of(block.right)];
      for (let line = 0; line < Math.max(before.length, after.length); line++) {
        const [a, b] = [before[line], after[line]];
        head(b ?? a);
        const [wordsA, wordsB] = wordsOf(a?.text ?? "", b?.text ?? "");
        rows.push({
          kind: "changed",
          left: a ? { number: ++left, words: wordsA } : null,
          right: b ? { number: ++right, words: wordsB } : null,
        });
      }
    }
  }

  const blocks = blocksOf(before, after);
  blocks.forEach((block, place) => (block.same ? unchanged(block.right, place === 0, place === blocks.length - 1) : changed(block)));
  return { rows, removed, added };
}
