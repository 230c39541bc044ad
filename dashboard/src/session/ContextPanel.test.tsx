import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { item, state } from "../testing/made";
import { show } from "../testing/render";
import { ContextPanel } from "./ContextPanel";

/** Items of the main window. */
const ITEMS = [
  item(1, { agent: "coder", tokens: 300, tier: "HOT" }),
  item(2, { agent: "reviewer", tokens: 500 }),
  item(3, { agent: "coder", tokens: 400, tier: "HOT" }),
];
const rows = () => within(screen.getByRole("listbox", { name: "Items" })).findAllByRole("option");
const WINDOWS = {
  main: { limit: 4000, encoding: null, model: null, items: 3, tokens: 1200 },
  review: { limit: null, encoding: null, model: null, items: 1, tokens: 900 },
};

test("the panel shows the tokens of its window, and its items", async () => {
  show(<ContextPanel state={state({ windows: WINDOWS })} items={ITEMS} window="main" />);
  expect(screen.getByText("1,200")).toBeTruthy();
  expect(screen.getByText("of 4,000")).toBeTruthy();
  expect(await rows()).toHaveLength(3);
});

test("agents are listed with their tokens, the most first, and filter the items", async () => {
  show(<ContextPanel state={state({ windows: WINDOWS })} items={ITEMS} window="main" />);
  const agents = screen.getAllByRole("button", { name: /coder|reviewer/ });
  expect(agents.map((agent) => agent.textContent)).toEqual(["Ccoder700", "Rreviewer500"]);
  await userEvent.click(agents[1]!);
  expect(await rows()).toHaveLength(1);
  expect(location.search).toBe("?agent=reviewer");
});

test("a tier of the chart filters the list", async () => {
  show(<ContextPanel state={state({ windows: WINDOWS })} items={ITEMS} window="main" />);
  await userEvent.click(screen.getByRole("button", { name: "HOT" }));
  expect(await rows()).toHaveLength(2);
});

test("another window can be chosen where there are several", async () => {
  show(<ContextPanel state={state({ windows: WINDOWS })} items={ITEMS} window="main" />);
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Window" }), "review");
  expect(location.search).toBe("?window=review");
});
