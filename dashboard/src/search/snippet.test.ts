import { expect, test } from "vitest";
import { runsOf, versionIn } from "./snippet";

test("the words that match are marked", () => {
  expect(runsOf("sign with RS256 now", [[0, 4], [10, 15]])).toEqual([
    { text: "sign", marked: true },
    { text: " with ", marked: false },
    { text: "RS256", marked: true },
    { text: " now", marked: false },
  ]);
});

test("characters beyond the basic plane count once", () => {
  expect(runsOf("🔑🔑 key", [[3, 6]])).toEqual([
    { text: "🔑🔑 ", marked: false },
    { text: "key", marked: true },
  ]);
});

test("marks that overlap or lie outside lose no text", () => {
  const runs = runsOf("abcdef", [[2, 4], [1, 3], [5, 99]]);
  expect(runs.map((run) => run.text).join("")).toBe("abcdef");
});

test.each([
  ["120", 120],
  [" v12 ", 12],
  ["0", null],
  ["RS256", null],
  ["v12 and more", null],
])("%j names version %j", (text, version) => {
  expect(versionIn(text)).toBe(version);
});
