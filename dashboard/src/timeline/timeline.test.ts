import { expect, test } from "vitest";
import type { ColumnDocument, TimelineMarkDocument } from "../api/schema";
import { abandoned, includes, pathTo, runOf, type Branch } from "./branches";
import { grouped, nextMark, type Kind } from "./marks";
import { columnAt, geometry, grown, limitAt, pan, scaleX, showing, ticks, versionAt, whole, zoneOf, zoom } from "./scale";

/** 1–12, back to 7 at 13, 13–30, back to 20 at 31. */
const BRANCHES: Branch[] = [
  { first: 1, last: 12, follows: null, live: 7 },
  { first: 13, last: 30, follows: 7, live: 20 },
  { first: 31, last: 40, follows: 20, live: 40 },
];

test("the path to a version leaves out what was abandoned", () => {
  expect(pathTo(BRANCHES, 40)).toEqual([
    { first: 1, last: 7 },
    { first: 13, last: 20 },
    { first: 31, last: 40 },
  ]);
});

test("what was recorded since the branches were read goes on the newest one", () => {
  expect(pathTo(BRANCHES, 55)).toEqual([...pathTo(BRANCHES, 40).slice(0, 2), { first: 31, last: 55 }]);
});

test("an abandoned version has a path of its own", () => {
  const path = pathTo(BRANCHES, 12);
  expect([1, 7, 8, 12, 13].map((version) => includes(path, version))).toEqual([true, true, true, true, false]);
});

test("abandoned runs know where they began and what left them", () => {
  const runs = abandoned(BRANCHES);
  expect(runs).toEqual([
    { first: 8, last: 12, base: 7, left: 13 },
    { first: 21, last: 30, base: 20, left: 31 },
  ]);
  expect(runOf(runs, 25)?.left).toBe(31);
  expect(runOf(runs, 35)).toBeUndefined();
});

test("a version is found again at its own place", () => {
  const place = geometry(1440, false);
  const view = { from: 100, to: 300 };
  const toX = scaleX(place, view);
  for (const version of [100, 177, 300]) expect(versionAt(place, view, toX(version), 1000)).toBe(version);
});

test("zooming keeps the version under the pointer in its place", () => {
  const before = { from: 0 + 1, to: 1001 };
  const after = zoom(before, 0.5, 251, 1001);
  expect(after.to - after.from).toBe(500);
  expect((251 - after.from) / 500).toBeCloseTo(250 / 1000);
});

test("a view never leaves the session", () => {
  expect(pan({ from: 50, to: 90 }, 100, 100)).toEqual({ from: 60, to: 100 });
  expect(zoom({ from: 1, to: 100 }, 4, 50, 100)).toEqual({ from: 1, to: 100 });
  expect(showing({ from: 1, to: 41 }, 90, 100)).toEqual({ from: 60, to: 100 });
});

test("a view at the end keeps up, and one in the past stays", () => {
  expect(grown(whole(100), 100, 120)).toEqual({ from: 1, to: 120 });
  expect(grown({ from: 80, to: 100 }, 100, 120)).toEqual({ from: 100, to: 120 });
  expect(grown({ from: 10, to: 30 }, 100, 120)).toEqual({ from: 10, to: 30 });
});

test("zones begin at 70, 85 and 95 %", () => {
  expect([0.69, 0.7, 0.85, 0.95, 1.2].map(zoneOf)).toEqual(["safe", "warning", "danger", "critical", "critical"]);
});

test("the limit is that of the version", () => {
  const limits = [
    { version: 1, limit: null },
    { version: 10, limit: 32_000 },
  ];
  expect([5, 10, 99].map((version) => limitAt(limits, version))).toEqual([null, 32_000, 32_000]);
});

test("a version is in the first column that ends at or after it", () => {
  const columns = [4, 8, 12].map((version) => ({ version }) as ColumnDocument);
  expect([1, 4, 5, 12].map((version) => columnAt(columns, version)?.version)).toEqual([4, 4, 8, 12]);
});

test("ticks are round and apart", () => {
  const place = geometry(700, false);
  expect(ticks({ from: 1, to: 243 }, place, 60)).toEqual([50, 100, 150, 200]);
});

const mark = (version: number, kind: string, note: string | null = null): TimelineMarkDocument => ({ version, kind, note, at: 0, tokens: 0 });
const ALL: ReadonlySet<Kind> = new Set<Kind>(["compaction", "alert", "checkpoint"]);

test("marks that overlap become one that counts them, and different zones stay apart", () => {
  const marks = [mark(10, "checkpoint"), mark(12, "checkpoint"), mark(13, "alert", "warning"), mark(14, "alert", "critical"), mark(90, "checkpoint")];
  const groups = grouped(marks, (version) => version * 2, 0, 400, ALL);
  expect(groups.map((group) => [group.kind, group.marks.length])).toEqual([
    ["checkpoint", 2],
    ["alert", 1],
    ["alert", 1],
    ["checkpoint", 1],
  ]);
});

test("the next mark is beyond the version itself", () => {
  const marks = [mark(10, "alert"), mark(20, "alert")];
  expect([nextMark(marks, 10, 1), nextMark(marks, 10, -1), nextMark(marks, 20, 1)]).toEqual([20, undefined, undefined]);
});
