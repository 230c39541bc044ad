/** Queries about sessions. What is read by version never changes, so it is kept; what is new is asked for again. */
import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { API, get, ofSession } from "./client";
import type { ItemFiguresDocument, ItemsDocument, SessionsDocument, ShownSessionDocument, StateDocument } from "./schema";

export interface SessionFilter {
  status?: string | null;
  project?: string | null;
  tag?: string | null;
  actor?: string | null;
}

const PAGE = 100;

/** Sessions, the most recently active first, page by page. */
export function useSessions(filter: SessionFilter) {
  return useInfiniteQuery({
    queryKey: ["sessions", filter],
    queryFn: ({ pageParam, signal }) =>
      get<SessionsDocument>(`${API}/sessions`, { ...filter, limit: PAGE, after: pageParam }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next ?? undefined,
    placeholderData: keepPreviousData,
  });
}

/** A session as it is now. */
export function useSession(session: string) {
  return useQuery({
    queryKey: ["session", session],
    queryFn: ({ signal }) => get<ShownSessionDocument>(ofSession(session, ""), {}, signal),
    placeholderData: keepPreviousData,
  });
}

const stateQuery = (session: string, version: number) => ({
  queryKey: ["state", session, version],
  queryFn: ({ signal }: { signal: AbortSignal }) => get<StateDocument>(ofSession(session, "/state"), { at: version, items: "false" }, signal),
  staleTime: Infinity,
  gcTime: 5 * 60_000,
});

/** An item of a window in numbers. Its text is read where a row is in sight. */
export interface WindowItem {
  item: number;
  type: string;
  agent: string | null;
  origin: string;
  tier: "HOT" | "WARM" | "COLD";
  score: number;
  /** As shown: those of the stub, if it is one. */
  tokens: number;
  accesses: number;
  /** When it was added, in milliseconds since 1970. */
  at: number;
  stub: boolean;
}

const itemsQuery = (session: string, version: number, window: string) => ({
  queryKey: ["items", session, version, window],
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const { rows } = await get<ItemFiguresDocument>(ofSession(session, "/items/figures"), { at: version, window }, signal);
    return rows.map(([item, type, agent, origin, tier, score, tokens, accesses, at, stub]) => ({ item, type, agent, origin, tier, score, tokens, accesses, at, stub }) as WindowItem);
  },
  staleTime: Infinity,
  // Rows of thousands of items: the neighbours are kept, and no long trail of versions.
  gcTime: 20_000,
});

/** The items of a window at a version. While those of one load, the last ones stay. */
export function useItemsAt(session: string, version: number, window: string) {
  return useQuery({ ...itemsQuery(session, version, window), placeholderData: keepPreviousData });
}

/** All that the state says of one item, or null where it is not in a window at this version. */
export function useItem(session: string, version: number, item: number) {
  return useQuery({
    queryKey: ["item", session, version, item],
    queryFn: async ({ signal }) => {
      const { items } = await get<ItemsDocument>(ofSession(session, "/items"), { at: version, after: item - 1, limit: 1 }, signal);
      return items[0]?.item === item ? items[0] : null;
    },
    staleTime: Infinity,
    placeholderData: keepPreviousData,
  });
}

/** The state at a version. While one loads, the last one stays. */
export function useStateAt(session: string, version: number | null) {
  return useQuery({
    ...stateQuery(session, version ?? 0),
    enabled: version !== null,
    placeholderData: keepPreviousData,
  });
}

/** Reads a state and its items before they are asked for. */
export function prefetchState(queries: QueryClient, session: string, version: number, window: string): void {
  void queries.prefetchQuery(stateQuery(session, version));
  void queries.prefetchQuery(itemsQuery(session, version, window));
}

/** Asks anew for what may have changed in a session. */
export function useRefreshSession(session: string): () => void {
  const queries = useQueryClient();
  return useCallback(() => {
    for (const key of ["session", "timeline", "branches"]) void queries.invalidateQueries({ queryKey: [key, session] });
  }, [queries, session]);
}
