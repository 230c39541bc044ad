import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { event, item, SESSION } from "../testing/made";
import { show } from "../testing/render";
import { ContextItemList } from "./ContextItemList";

const ITEMS = [
  item(3, { type: "message", tier: "HOT", score: 0.9, tokens: 40, accesses: 2, agent: "planner" }),
  item(5, { type: "code", tier: "WARM", score: 0.6, tokens: 1380, accesses: 7 }),
  item(9, { type: "error", tier: "COLD", score: 0.2, tokens: 212 }),
];

const EVENTS = {
  "/events": (address: URL) => ({
    events: address.searchParams.getAll("version").map((version) => event(Number(version), "item.saved", { text: `text of ${version}` })),
    next: null,
  }),
};

/** Beginnings of events are kept for the page's life, so each list is of a session of its own. */
let sessions = 0;
const list = (at = "/") => show(<ContextItemList session={`${SESSION} ${sessions++}`} items={ITEMS} now="2026-11-19T14:00:00Z" version={50} />, EVENTS, at);
const options = () => within(screen.getByRole("listbox", { name: "Items" })).findAllByRole("option");
const rows = async () => (await options()).map((row) => row.querySelector(".score")?.textContent);

test("items are sorted by score, with tokens, accesses and age", async () => {
  list();
  expect(await rows()).toEqual(["0.90", "0.60", "0.20"]);
  const second = (await options())[1]!;
  expect([".tokens", ".uses", ".age"].map((name) => second.querySelector(name)?.textContent)).toEqual(["1,380", "7", "2 h"]);
  await waitFor(() => expect(second.querySelector(".name")?.textContent).toBe("text of 5"));
});

test("the texts of the rows in sight are read with one request, cut short", async () => {
  const { asked } = list();
  await screen.findByText("text of 9");
  expect(asked).toHaveLength(1);
  expect(asked[0]).toMatch(/events\?text_length=\d+&version=/);
});

test("a tier filters the list and stands in the address", async () => {
  list();
  await userEvent.click(screen.getByRole("button", { name: /COLD/ }));
  expect(await rows()).toEqual(["0.20"]);
  expect(location.search).toBe("?tier=COLD");
});

test("type and agent in the address filter too", async () => {
  list("/?type=message&agent=planner");
  expect(await rows()).toEqual(["0.90"]);
  expect((screen.getByRole("combobox", { name: "Agent" }) as HTMLSelectElement).value).toBe("planner");
});

test("a click on a heading sorts by it, and a second one the other way round", async () => {
  list();
  await userEvent.click(screen.getByRole("button", { name: "Sort by tokens" }));
  expect(await rows()).toEqual(["0.60", "0.20", "0.90"]);
  await userEvent.click(screen.getByRole("button", { name: "Sort by tokens" }));
  expect(await rows()).toEqual(["0.90", "0.20", "0.60"]);
});

test("a row is opened with the keyboard, and its item stands in the address", async () => {
  list();
  (await options())[0]!.focus();
  await userEvent.keyboard("{Enter}");
  expect(location.search).toBe("?item=3");
  expect((await options())[0]!.getAttribute("aria-selected")).toBe("true");
});

test("ten thousand items are some dozen rows", async () => {
  const many = Array.from({ length: 10_000 }, (_, id) => item(id + 1, { score: id / 10_000 }));
  show(<ContextItemList session={SESSION} items={many} now="2026-11-19T14:00:00Z" version={20_000} />, EVENTS);
  expect((await options()).length).toBeLessThan(60);
  expect(screen.getByRole("button", { name: /All 10,000/ })).toBeTruthy();
});

test("an empty window says so, and what fills it", () => {
  show(<ContextItemList session={SESSION} items={[]} now="2026-11-19T14:00:00Z" version={1} />);
  expect(screen.getByText("No items yet")).toBeTruthy();
});
