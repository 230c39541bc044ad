import { expect, test } from "vitest";
import type { RecordedCompactionDocument } from "../api/schema";
import { item } from "../testing/made";
import { standings } from "./standing";

const compaction = (version: number, summarized: number[], undone: number | null = null) =>
  ({ version, window: "main", summarized, undone, live: undone === null }) as RecordedCompactionDocument;
const PATH = [{ first: 1, last: 50 }];

test("an item is in the prompt, a stub, summarized or only stored", () => {
  const found = standings([item(40), item(41, { stub: true })], 50, [compaction(30, [5, 6])], PATH, "main");
  expect([40, 41, 5, 7].map(found.of)).toEqual(["prompt", "stubbed", "summarized", "stored"]);
  expect(found.counts).toEqual({ prompt: 1, stubbed: 1, summarized: 2 });
  expect(found.takenBy(5)).toBe(30);
});

test("a compaction counts from its version until it is undone, and only on its branch", () => {
  const of = (version: number, one: RecordedCompactionDocument, path = PATH) => standings([], version, [one], path, "main").of(5);
  expect(of(29, compaction(30, [5]))).toBe("stored");
  expect(of(45, compaction(30, [5], 40))).toBe("stored");
  expect(of(35, compaction(30, [5], 40))).toBe("summarized");
  expect(of(50, compaction(30, [5]), [{ first: 1, last: 20 }, { first: 45, last: 50 }])).toBe("stored");
});
