import { expect, test } from "vitest";
import { commonStart } from "./commonStart";
import { compare, promptLines, type Line, type Row } from "./lines";

const lines = (text: string, section = "history"): Line[] => text.split("\n").map((one) => ({ section, text: one }));
const NONE = new Set<number>();
const text = (row: Row) => (row.kind === "same" || row.kind === "changed" ? [row.left, row.right].map((side) => side?.words.map((word) => word.text).join("") ?? null) : row.kind);

test("a changed line stands beside what it was, and the words that differ are marked", () => {
  const { rows, removed, added } = compare(lines("Goal: log in\nDecision: sign with HS256"), lines("Goal: log in\nDecision: sign with RS256"), NONE);
  expect([removed, added]).toEqual([1, 1]);
  const changed = rows.find((row) => row.kind === "changed")!;
  expect(text(changed)).toEqual(["Decision: sign with HS256", "Decision: sign with RS256"]);
  expect(changed.kind === "changed" && changed.right!.words.filter((word) => word.changed).map((word) => word.text)).toEqual(["RS256"]);
});

test("lines that share nothing are marked as a whole", () => {
  const { rows } = compare(lines("alpha beta gamma"), lines("one two three"), NONE);
  const changed = rows.find((row) => row.kind === "changed")!;
  expect(changed.kind === "changed" && changed.left!.words).toEqual([{ text: "alpha beta gamma", changed: true }]);
});

test("what is the same is folded, and opens", () => {
  const many = Array.from({ length: 20 }, (_, place) => `line ${place}`).join("\n");
  const folded = compare(lines(`${many}\nold`), lines(`${many}\nnew`), NONE).rows;
  const fold = folded.find((row) => row.kind === "fold")!;
  expect(fold).toMatchObject({ lines: 18, section: "history" });
  expect(folded.filter((row) => row.kind === "same")).toHaveLength(2);
  const opened = compare(lines(`${many}\nold`), lines(`${many}\nnew`), new Set([fold.kind === "fold" ? fold.key : 0])).rows;
  expect(opened.filter((row) => row.kind === "same")).toHaveLength(20);
});

test("lines are numbered on each side, also behind a fold", () => {
  const many = Array.from({ length: 20 }, (_, place) => `line ${place}`).join("\n");
  const { rows } = compare(lines(`gone\n${many}\nold`), lines(`${many}\nnew`), NONE);
  const last = rows.at(-1)!;
  expect(last.kind === "changed" && [last.left!.number, last.right!.number]).toEqual([22, 21]);
});

test("what is of another section does not stand beside it", () => {
  const { rows } = compare(lines("old", "history"), lines("short", "summary"), NONE);
  expect(rows.map(text)).toEqual(["section", ["old", null], "section", [null, "short"]]);
});

test("the lines of a prompt name their sections", () => {
  const pieces = [
    { section: "rules", item: null, text: "a\nb", message: null },
    { section: "history", item: 3, text: null, message: { role: "user", content: "c" } },
  ];
  expect(promptLines(pieces)).toEqual([...lines("a\nb", "rules"), ...lines("user: c")]);
});

test("versions on two branches have the version before the backtrack in common", () => {
  const branches = [
    { first: 1, last: 7, follows: null, live: 1 },
    { first: 8, last: 12, follows: 7, live: 0 },
    { first: 13, last: 40, follows: 7, live: 1 },
  ];
  expect(commonStart(branches, 12, 23)).toBe(7);
  expect(commonStart(branches, 20, 23)).toBe(20);
});
