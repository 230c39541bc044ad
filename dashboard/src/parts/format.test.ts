import { expect, test } from "vitest";
import { ago, age, limitText, money, percent } from "./format";

const NOON = new Date("2026-11-19T12:00:00").getTime();
const SECOND = 1000;

test.each([
  [2, "now"],
  [12, "12 s ago"],
  [6 * 60, "6 min ago"],
  [2 * 3600, "2 h ago"],
  [20 * 3600, "Yesterday"],
  [5 * 24 * 3600, "14 Nov"],
])("%i seconds are said as %s", (seconds, said) => {
  expect(ago(NOON - seconds * SECOND, NOON)).toBe(said);
});

test("ages have one unit", () => {
  expect([5, 600, 18_000, 400_000].map((seconds) => age(NOON - seconds * SECOND, NOON))).toEqual(["5 s", "10 m", "5 h", "4 d"]);
});

test("limits are round and usage is exact", () => {
  expect([32_000, 200_000, 1_000_000, 8_192].map(limitText)).toEqual(["32k", "200k", "1M", "8,192"]);
  expect([0, 0.042, 0.67, 1.23].map(percent)).toEqual(["0 %", "4.2 %", "67 %", "123 %"]);
});

test("fractions of a cent are not rounded away", () => {
  expect([0, 0.0057, 1.84].map(money)).toEqual(["$0.00", "$0.0057", "$1.84"]);
});
