/** What became of each item of a window in a compaction. */
import type { ItemDocument, RecordedCompactionDocument } from "../api/schema";

export const DISPOSITIONS = ["kept", "summarized", "stubbed", "dropped"] as const;
export type Disposition = (typeof DISPOSITIONS)[number];

export interface Fate {
  item: ItemDocument;
  disposition: Disposition;
  before: number;
  /** Null for an item that left. */
  after: number | null;
}

export interface Band {
  disposition: Disposition;
  items: number;
  before: number;
  after: number;
}

/** By the lists of items before and after it. */
export function fatesOf(compaction: RecordedCompactionDocument, before: ItemDocument[], after: ItemDocument[]): Fate[] {
  const summarized = new Set(compaction.summarized);
  const stays = new Map(after.map((item) => [item.item, item]));
  return before.map((item) => {
    const now = stays.get(item.item);
    const disposition = now ? (now.stub && !item.stub ? "stubbed" : "kept") : summarized.has(item.item) ? "summarized" : "dropped";
    return { item, disposition, before: item.shown_tokens, after: now?.shown_tokens ?? null };
  });
}

/** The items and tokens of each disposition. What the summary has stands with those that it tells of. */
export function bandsOf(fates: Fate[], summaryTokens: number): Band[] {
  return DISPOSITIONS.map((disposition) => {
    const of = fates.filter((fate) => fate.disposition === disposition);
    const after = of.reduce((sum, fate) => sum + (fate.after ?? 0), 0);
    return {
      disposition,
      items: of.length,
      before: of.reduce((sum, fate) => sum + fate.before, 0),
      after: disposition === "summarized" ? summaryTokens : after,
    };
  }).filter((band) => band.items > 0);
}

/** The newest compaction at a version; before the first one that. */
export function compactionAt(compactions: RecordedCompactionDocument[], version: number): number {
  let found = 0;
  compactions.forEach((one, place) => {
    if (one.version <= version) found = place;
  });
  return found;
}
