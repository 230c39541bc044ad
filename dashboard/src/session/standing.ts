/** What became of items: in the prompt, stubbed, summarized, or only stored. */
import type { RecordedCompactionDocument } from "../api/schema";
import type { WindowItem } from "../api/sessions";
import { includes, type Range } from "../timeline/branches";

export type Standing = "prompt" | "stubbed" | "summarized" | "stored";

export interface Standings {
  of: (item: number) => Standing;
  /** The compaction that took an item out, if one did. */
  takenBy: (item: number) => number | undefined;
  counts: Record<Exclude<Standing, "stored">, number>;
}

/** Where every item stands at a version, from the items of the window there. */
export function standings(items: WindowItem[], version: number, compactions: RecordedCompactionDocument[], path: Range[], window: string): Standings {
  const live = new Map(items.map((item) => [item.item, item]));
  const taken = new Map<number, number>();
  for (const one of compactions) {
    const done = one.version <= version && one.window === window && includes(path, one.version);
    const undone = one.undone !== null && one.undone <= version;
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
export function byTier(items: WindowItem[]): TierSum[] {
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
export function byAgent(items: WindowItem[]): AgentSum[] {
  const found = new Map<string, AgentSum>();
  for (const item of items) {
    const name = ownerOf(item);
    const known = found.get(name) ?? { name, person: item.origin === "user", tokens: 0, items: 0 };
    known.tokens += item.tokens;
    known.items += 1;
    found.set(name, known);
  }
  return [...found.values()].sort((a, b) => b.tokens - a.tokens);
}

/** The agent of an item; where it has none, where it comes from. */
export const ownerOf = (item: WindowItem): string => item.agent ?? item.origin.replaceAll("_", " ");

const sum = (items: WindowItem[]): number => items.reduce((total, item) => total + item.tokens, 0);
