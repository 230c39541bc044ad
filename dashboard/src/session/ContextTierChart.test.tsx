import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { ContextTierChart } from "./ContextTierChart";

const TIERS = [
  { tier: "HOT" as const, items: 18, tokens: 9640 },
  { tier: "WARM" as const, items: 27, tokens: 8210 },
  { tier: "COLD" as const, items: 0, tokens: 0 },
];

const row = (name: string) => screen.getByRole("row", { name: new RegExp(name) });

test("each tier has its items, its tokens and its share of the limit", () => {
  render(<ContextTierChart tiers={TIERS} limit={32_000} chosen={null} choose={() => {}} />);
  expect(within(row("HOT")).getAllByRole("cell").map((cell) => cell.textContent)).toEqual(["HOT", "18", "9,640", "30 %"]);
  expect(within(row("COLD")).getAllByRole("cell").map((cell) => cell.textContent)).toEqual(["COLD", "0", "0", "0 %"]);
});

test("without a limit, shares are of what is in the window", () => {
  render(<ContextTierChart tiers={TIERS} limit={null} chosen={null} choose={() => {}} />);
  expect(within(row("HOT")).getByText("54 %")).toBeTruthy();
  expect(screen.queryByText("95 %")).toBeNull();
});

test("a window over its limit fills the bar and no more", () => {
  const { container } = render(<ContextTierChart tiers={TIERS} limit={10_000} chosen={null} choose={() => {}} />);
  const widths = [...container.querySelectorAll<HTMLElement>(".tier-bar i")].map((part) => parseFloat(part.style.width));
  expect(widths.reduce((sum, width) => sum + width, 0)).toBeCloseTo(100);
});

test("a click on a tier filters by it, and a second one shows all", async () => {
  const choose = vi.fn();
  const { rerender } = render(<ContextTierChart tiers={TIERS} limit={32_000} chosen={null} choose={choose} />);
  await userEvent.click(screen.getByRole("button", { name: "WARM" }));
  expect(choose).toHaveBeenLastCalledWith("WARM");
  rerender(<ContextTierChart tiers={TIERS} limit={32_000} chosen="WARM" choose={choose} />);
  expect(screen.getByRole("button", { name: "WARM" }).getAttribute("aria-pressed")).toBe("true");
  await userEvent.click(screen.getByRole("button", { name: "WARM" }));
  expect(choose).toHaveBeenLastCalledWith(null);
});

test("the bar says its numbers to who does not see it", () => {
  render(<ContextTierChart tiers={TIERS} limit={32_000} chosen={null} choose={() => {}} />);
  expect(screen.getByRole("img", { name: "HOT 9,640 tokens, WARM 8,210 tokens, COLD 0 tokens" })).toBeTruthy();
});
