import { expect, test } from "vitest";
import type { ItemDocument, RecordedCompactionDocument } from "../api/schema";
import { bandsOf, compactionAt, fatesOf } from "./fates";

const item = (id: number, tokens: number, stub = false) => ({ item: id, shown_tokens: tokens, stub }) as ItemDocument;
const compaction = (version: number, summarized: number[] = [], dropped: number[] = []) =>
  ({ version, summarized, dropped }) as RecordedCompactionDocument;

const FATES = fatesOf(
  compaction(9, [1, 2], [3]),
  [item(1, 10), item(2, 20), item(3, 5), item(4, 40), item(5, 7)],
  [item(4, 4, true), item(5, 7), item(9, 6)],
);

test("every item of the window before has one disposition", () => {
  expect(FATES.map((fate) => fate.disposition)).toEqual(["summarized", "summarized", "dropped", "stubbed", "kept"]);
  expect(FATES.map((fate) => fate.after)).toEqual([null, null, null, 4, 7]);
});

test("the bands hold all tokens, and the summary stands with what it tells of", () => {
  expect(bandsOf(FATES, 6)).toEqual([
    { disposition: "kept", items: 1, before: 7, after: 7 },
    { disposition: "summarized", items: 2, before: 30, after: 6 },
    { disposition: "stubbed", items: 1, before: 40, after: 4 },
    { disposition: "dropped", items: 1, before: 5, after: 0 },
  ]);
});

test("the compaction shown is the newest at the cursor, and before the first one that", () => {
  const all = [compaction(10), compaction(20)];
  expect([5, 10, 19, 25].map((version) => compactionAt(all, version))).toEqual([0, 0, 0, 1]);
});
