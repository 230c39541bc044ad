/** Queries about sessions. What is read by version never changes, so it is kept; what is new is asked for again. */
import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { API, get, ofSession } from "./client";
import type { SessionsDocument, ShownSessionDocument, StateDocument } from "./schema";

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
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    get<StateDocument>(ofSession(session, "/state"), { at: version, item_texts: "false" }, signal),
  staleTime: Infinity,
  gcTime: 5 * 60_000,
});

/** The state at a version. While one loads, the last one stays. */
export function useStateAt(session: string, version: number | null) {
  return useQuery({
    ...stateQuery(session, version ?? 0),
    enabled: version !== null,
    placeholderData: keepPreviousData,
  });
}

/** Reads the states beside a version before they are asked for. */
export function prefetchState(queries: QueryClient, session: string, version: number): void {
  void queries.prefetchQuery(stateQuery(session, version));
}

/** Asks anew for what may have changed in a session. */
export function useRefreshSession(session: string): () => void {
  const queries = useQueryClient();
  return useCallback(() => {
    for (const key of ["session", "timeline", "branches"]) void queries.invalidateQueries({ queryKey: [key, session] });
  }, [queries, session]);
}
