/** Queries about projects and what they remember. */
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { API, get } from "./client";
import type { MemoryHistoryDocument, MemoryPageDocument, ProjectsDocument, RecallPageDocument } from "./schema";

const ofProject = (project: string, rest: string) => `${API}/projects/${encodeURIComponent(project)}${rest}`;

export function useProjects() {
  return useQuery({
    queryKey: ["projects"],
    queryFn: async ({ signal }) => (await get<ProjectsDocument>(`${API}/projects`, { limit: 1000 }, signal)).projects,
  });
}

export interface MemoryFilter {
  kind?: string | null;
  tier?: string | null;
  past?: string | null;
  candidates?: string | null;
}

/** The memories of a project, the newest first, page by page. */
export function useMemories(project: string | null, filter: MemoryFilter, limit = 100) {
  return useInfiniteQuery({
    queryKey: ["memories", project, filter, limit],
    queryFn: ({ pageParam, signal }) => get<MemoryPageDocument>(ofProject(project!, "/memories"), { ...filter, limit, after: pageParam }, signal),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => page.next ?? undefined,
    enabled: project !== null,
    placeholderData: keepPreviousData,
  });
}

/** The memories of a project that answer a question, best first. */
export function useRecall(project: string | null, query: string, filter: MemoryFilter) {
  return useQuery({
    queryKey: ["recall", project, query, filter],
    queryFn: ({ signal }) => get<RecallPageDocument>(ofProject(project!, "/recall"), { query, kind: filter.kind, tier: filter.tier, past: filter.past, limit: 50 }, signal),
    enabled: project !== null && query !== "",
    placeholderData: keepPreviousData,
  });
}

/** A memory as it was, oldest first. */
export function useMemoryHistory(project: string, memory: number) {
  return useQuery({
    queryKey: ["memory-history", project, memory],
    queryFn: ({ signal }) => get<MemoryHistoryDocument>(ofProject(project, `/memories/${memory}/history`), {}, signal),
  });
}
