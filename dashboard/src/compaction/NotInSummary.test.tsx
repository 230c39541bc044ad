import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { LostFactDocument, ShownSessionDocument } from "../api/schema";
import { SESSION } from "../testing/made";
import { show } from "../testing/render";
import { NotInSummary } from "./NotInSummary";

const NOW = { session: SESSION, version: 80, title: "Mend the lamp" } as ShownSessionDocument;

function fact(kind: string, text: string, item: number, given: Partial<LostFactDocument> = {}): LostFactDocument {
  return { kind, text, item, at: "2026-11-19T12:00:00Z", status: null, note: null, shown: true, ...given };
}

function shown(facts: LostFactDocument[], text: (limit: string | null) => string) {
  return show(<NotInSummary session={NOW} compaction={57} />, {
    "/window/uncompact": ({ searchParams }) => ({ session: SESSION, compaction: 57, at: "2026-11-19T12:00:00Z", window: "main", trigger: null, text: text(searchParams.get("limit")), facts, told: 4 }),
  });
}

test("facts stand by kind, each with its item and whether the text has it", async () => {
  shown([fact("instruction", "Never change the defaults.", 3), fact("file", "/srv/a.toml", 8, { note: "edited 2 times" }), fact("file", "/srv/b.toml", 9, { shown: false })], () => "Recorded before …");
  const heads = await screen.findAllByRole("heading", { level: 3 });
  expect(heads.map((head) => head.textContent?.trim())).toEqual(["Said by the user 1", "Files 2"]);
  const [said, edited, left] = screen.getAllByRole("listitem");
  expect(within(said!).getByRole("link", { name: "v3" }).getAttribute("href")).toBe(`/sessions/${SESSION}?v=3`);
  expect(edited!.textContent).toContain("edited 2 times");
  expect(edited!.textContent).not.toContain("not in the text");
  expect(left!.textContent).toContain("not in the text");
});

test("the text is copied, the longer one where it is chosen", async () => {
  const user = userEvent.setup();
  const { asked } = shown([fact("request", "Mend it.", 2), fact("file", "/srv/a.toml", 3, { shown: false })], (limit) => `The text of ${limit}.`);
  await user.click(await screen.findByRole("button", { name: "Copy for the next prompt" }));
  expect(await navigator.clipboard.readText()).toBe("The text of 2000.");
  await user.click(screen.getByRole("button", { name: "Long" }));
  await user.click(await screen.findByRole("button", { name: "Copy for the next prompt" }));
  expect(await navigator.clipboard.readText()).toBe("The text of 6000.");
  expect(asked.map((address) => new URLSearchParams(address.split("?")[1]).get("version"))).toEqual(["57", "57"]);
});

test("where nothing that is needed is missing it says so, and offers no text", async () => {
  shown([], () => "");
  expect(await screen.findByText("The summary tells all that is needed.")).toBeTruthy();
  expect(screen.queryByRole("button", { name: /Copy/ })).toBeNull();
  expect(screen.queryAllByRole("listitem")).toEqual([]);
});

test("a fork begins before the compaction", async () => {
  shown([fact("request", "Mend it.", 2)], () => "Mend it.");
  await userEvent.click(await screen.findByRole("button", { name: /Fork from before/ }));
  expect(screen.getByRole("dialog").textContent).toContain("Fork from version 56?");
});
