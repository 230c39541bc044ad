/** Queries of compactions, prunes and flash saves. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { get, ofSession } from "../api/client";
import type { CompactionsDocument, DroppedDocument, ItemDocument, ItemsDocument, RecordedCompactionDocument, UncompactedDocument, UsageDocument } from "../api/schema";

const ITEMS = 1000;
const MOST_ITEMS = 10_000;

/** All compactions of a session, the oldest first. There are few: each stands for many items. */
export function useCompactions(session: string, version: number) {
  return useQuery({
    queryKey: ["compactions", session, version],
    queryFn: async ({ signal }) => {
      const found: RecordedCompactionDocument[] = [];
      let before: number | null = null;
      do {
        const page: CompactionsDocument = await get<CompactionsDocument>(ofSession(session, "/window/compactions"), { limit: 200, before }, signal);
        found.push(...page.compactions);
        before = page.next;
      } while (before !== null);
      return found.reverse();
    },
    placeholderData: keepPreviousData,
  });
}

/** The items of a window at a version. */
export function useItemsAt(session: string, version: number, window: string) {
  return useQuery({
    queryKey: ["items-at", session, version, window],
    queryFn: async ({ signal }) => {
      const items: ItemDocument[] = [];
      let after = 0;
      do {
        const page = await get<ItemsDocument>(ofSession(session, "/items"), { at: version, window, texts: true, after, limit: ITEMS }, signal);
        items.push(...page.items);
        after = page.next ?? 0;
      } while (after && items.length < MOST_ITEMS);
      return items;
    },
    enabled: version > 0,
    staleTime: Infinity,
  });
}

/** A window's tokens and limit at a version. */
export function useUsageAt(session: string, version: number, window: string) {
  return useQuery({
    queryKey: ["usage-at", session, version, window],
    queryFn: async ({ signal }) => {
      const page = await get<UsageDocument>(ofSession(session, "/window/usage"), { window, after: version - 1, upto: version }, signal);
      return page.points[0] ?? null;
    },
    enabled: version > 0,
    staleTime: Infinity,
  });
}

/** What a compaction took out, the most needed since first. */
export function useDropped(session: string, compaction: number, newest: number) {
  return useQuery({
    queryKey: ["dropped", session, compaction, newest],
    queryFn: ({ signal }) => get<DroppedDocument>(ofSession(session, "/window/dropped"), { version: compaction, limit: 100 }, signal),
    placeholderData: (before) => (before?.compaction === compaction ? before : undefined),
  });
}

/** What a compaction took out and its summary does not tell; the text of it has at most so many characters. */
export function useLost(session: string, compaction: number, length: number) {
  return useQuery({
    queryKey: ["lost", session, compaction, length],
    queryFn: ({ signal }) => get<UncompactedDocument>(ofSession(session, "/window/uncompact"), { version: compaction, limit: length }, signal),
    placeholderData: (before) => (before?.compaction === compaction ? before : undefined),
  });
}
