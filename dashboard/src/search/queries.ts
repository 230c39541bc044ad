/** Queries over everything that was recorded. */
import { keepPreviousData, useInfiniteQuery, useQueries } from "@tanstack/react-query";
import { API, get, ofSession } from "../api/client";
import type { SearchPageDocument, SessionDocument } from "../api/schema";

export interface Asked {
  query: string;
  session: string | null;
  project: string | null;
  type: string | null;
  speaker: string | null;
  abandoned: boolean;
}

const PAGE = 30;

/** What a query finds, best first, page by page. Looking is not recorded. */
export function useSearch({ query, session, project, ...filters }: Asked) {
  return useInfiniteQuery({
    queryKey: ["search", query, session, project, filters],
    queryFn: ({ pageParam, signal }) => {
      const path = session ? ofSession(session, "/search") : `${API}/search`;
      const of = session ? {} : { project };
      const abandoned = filters.abandoned ? "true" : null;
      return get<SearchPageDocument>(path, { query, ...of, ...filters, abandoned, limit: PAGE, after: pageParam }, signal);
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next ?? undefined,
    enabled: query !== "",
    placeholderData: keepPreviousData,
  });
}

/** The titles of sessions by their ids, as they come in. */
export function useTitles(sessions: string[]): Map<string, string | null> {
  const found = useQueries({
    queries: sessions.map((session) => ({
      queryKey: ["title", session],
      queryFn: ({ signal }: { signal: AbortSignal }) => get<SessionDocument>(ofSession(session, "/summary"), {}, signal),
      staleTime: 60_000,
    })),
  });
  return new Map(found.flatMap((one, place) => (one.data ? [[sessions[place]!, one.data.title]] : [])));
}
