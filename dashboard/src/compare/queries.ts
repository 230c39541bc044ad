/** Queries of two versions. What is read by version never changes. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { get, ofSession } from "../api/client";
import type { ContextDocument, DiffDocument, ItemsDocument } from "../api/schema";

/** The changes between two versions. */
export function useDiff(session: string, from: number, to: number) {
  return useQuery({
    queryKey: ["diff", session, from, to],
    queryFn: ({ signal }) => get<DiffDocument>(ofSession(session, "/diff"), { from_version: from, to_version: to }, signal),
    staleTime: Infinity,
    placeholderData: keepPreviousData,
  });
}

/** The prompt of the next call, as it would have been at a version. */
export function usePromptOf(session: string, version: number) {
  return useQuery({
    queryKey: ["context-at", session, version],
    queryFn: ({ signal }) => get<ContextDocument>(ofSession(session, "/context"), { at: version }, signal),
    staleTime: Infinity,
    retry: false,
    placeholderData: keepPreviousData,
  });
}

/** The number of live items at a version; null where they are many. */
export function useItemCount(session: string, version: number) {
  return useQuery({
    queryKey: ["item-count", session, version],
    queryFn: async ({ signal }) => {
      const page = await get<ItemsDocument>(ofSession(session, "/items"), { at: version, limit: 1000 }, signal);
      return page.next === null ? page.items.length : null;
    },
    staleTime: Infinity,
  });
}
