import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import type { ShownSessionDocument } from "../api/schema";
import { SESSION, state } from "../testing/made";
import { show } from "../testing/render";
import { BacktrackDialog } from "./BacktrackDialog";

const NOW = { session: SESSION, version: 243, tokens: 21_480, token_limit: 32_000, decisions: 3 } as ShownSessionDocument;
const THEN = state({ version: 12, decision_count: 1, windows: { main: { limit: 32_000, encoding: null, model: null, items: 1, tokens: 3412 } } });

test("it says what changes and asks for a reason before anything is written", async () => {
  const sent = vi.fn(() => ({ session: SESSION, version: 244 }));
  const close = vi.fn();
  const { asked } = show(<BacktrackDialog session={NOW} to={12} at={THEN} close={close} />, { "/backtrack": (_, init) => (sent(), JSON.parse(String(init?.body))) }, "/?v=12");
  expect(screen.getByText("version 12, as event 244")).toBeTruthy();
  expect(screen.getByText("21,480 → 3,412 tokens")).toBeTruthy();
  const button = screen.getByRole("button", { name: /Backtrack to 12/ });
  expect((button as HTMLButtonElement).disabled).toBe(true);
  expect(asked).toEqual([]);
  await userEvent.type(screen.getByRole("textbox", { name: "Reason" }), "HS256 needs a shared secret");
  await userEvent.click(button);
  await waitFor(() => expect(close).toHaveBeenCalled());
  expect(sent).toHaveBeenCalledOnce();
  expect(location.search).toBe("");
});

test("a refusal is shown in the dialog, which stays", async () => {
  const close = vi.fn();
  show(<BacktrackDialog session={NOW} to={12} at={undefined} close={close} />);
  await userEvent.type(screen.getByRole("textbox", { name: "Reason" }), "why{Enter}");
  expect((await screen.findByRole("alert")).textContent).toContain("was not backtracked");
  expect(close).not.toHaveBeenCalled();
});
