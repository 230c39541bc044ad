/** What became of items: in the prompt, stubbed, summarized, or only stored. */
import type { RecordedCompactionDocument, ItemDocument, StateDocument } from "../api/schema";
import { includes, type Range } from "../timeline/branches";

export type Standing = "prompt" | "stubbed" | "summarized" | "stored";

export interface Standings {
  of: (item: number) => Standing;
  /** The compaction that took an item out, if one did. */
  takenBy: (item: number) => number | undefined;
  counts: Record<Exclude<Standing, "stored">, number>;
}

/** Where every item stands in a window at the version of a state. */
export function standings(state: StateDocument, compactions: RecordedCompactionDocument[], path: Range[], window: string): Standings {
  const live = new Map<number, ItemDocument>();
  for (const item of state.items) if (item.windows.includes(window)) live.set(item.item, item);
  const taken = new Map<number, number>();
  for (const one of compactions) {
    const done = one.version <= state.version && one.window === window && includes(path, one.version);
    const undone = one.undone !== null && one.undone <= state.version;
    if (!done || undone) continue;
    for (const item of one.summarized) if (!live.has(item) && !taken.has(item)) taken.set(item, one.version);
  }
  let stubbed = 0;
  for (const item of live.values()) if (item.stub) stubbed += 1;
  return {
    of: (item) => {
      const found = live.get(item);
      if (found) return found.stub ? "stubbed" : "prompt";
      return taken.has(item) ? "summarized" : "stored";
    },
    takenBy: (item) => taken.get(item),
    counts: { prompt: live.size - stubbed, stubbed, summarized: taken.size },
  };
}

export interface TierSum {
  tier: "HOT" | "WARM" | "COLD";
  items: number;
  tokens: number;
}

const TIERS = ["HOT", "WARM", "COLD"] as const;

/** Items and tokens of a window by tier. */
export function byTier(items: ItemDocument[]): TierSum[] {
  return TIERS.map((tier) => {
    const found = items.filter((item) => item.tier === tier);
    return { tier, items: found.length, tokens: sum(found) };
  });
}

export interface AgentSum {
  name: string;
  person: boolean;
  tokens: number;
  items: number;
}

/** Items and tokens of a window by whom they come from, the most tokens first. */
export function byAgent(items: ItemDocument[]): AgentSum[] {
  const found = new Map<string, AgentSum>();
  for (const item of items) {
    const name = ownerOf(item);
    const known = found.get(name) ?? { name, person: item.origin === "user", tokens: 0, items: 0 };
    known.tokens += item.shown_tokens;
    known.items += 1;
    found.set(name, known);
  }
  return [...found.values()].sort((a, b) => b.tokens - a.tokens);
}

/** The agent of an item; where it has none, where it comes from. */
export const ownerOf = (item: ItemDocument): string => item.agent ?? item.origin.replaceAll("_", " ");

const sum = (items: ItemDocument[]): number => items.reduce((total, item) => total + item.shown_tokens, 0);
