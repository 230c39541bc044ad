/** Queries about decisions, of a session and of a project. */
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { API, get, ofSession } from "./client";
import type { RecordedDecisionDocument } from "./schema";

interface Page {
  decisions: RecordedDecisionDocument[];
  next: string | number | null;
}

/** The newest first, page by page. */
export function useDecisions({ project, session }: { project: string | null; session: string | null }) {
  return useInfiniteQuery({
    queryKey: ["decisions", project, session],
    queryFn: ({ pageParam, signal }) =>
      session !== null
        ? get<Page>(ofSession(session, "/decisions/recorded"), { before: pageParam, limit: 50 }, signal)
        : get<Page>(`${API}/projects/${encodeURIComponent(project!)}/decisions`, { after: pageParam, limit: 50 }, signal),
    initialPageParam: null as string | number | null,
    getNextPageParam: (page) => page.next ?? undefined,
    enabled: project !== null || session !== null,
    placeholderData: keepPreviousData,
  });
}
