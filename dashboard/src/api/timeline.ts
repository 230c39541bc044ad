/** Queries of the timeline: an overview of the whole session, and what is in sight where that is too coarse. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { get, ofSession } from "./client";
import type { BranchesDocument, TimelineDocument } from "./schema";

const OVERVIEW = 1000;
const DETAIL = 3000;

export function useTimeline(session: string, window: string) {
  return useQuery({
    queryKey: ["timeline", session, window],
    queryFn: ({ signal }) => get<TimelineDocument>(ofSession(session, "/timeline"), { window, columns: OVERVIEW }, signal),
    staleTime: Infinity,
    placeholderData: keepPreviousData,
  });
}

/** The columns between two versions and a width on each side, in ranges that stay the same while one pans a little. */
export function useDetail(session: string, window: string, from: number, to: number, newest: number, enabled: boolean) {
  const span = Math.max(16, to - from);
  const grid = 2 ** Math.ceil(Math.log2(span));
  const after = Math.max(0, (Math.floor(from / grid) - 1) * grid);
  const upto = Math.min(newest, (Math.ceil(to / grid) + 1) * grid);
  return useQuery({
    queryKey: ["timeline", session, window, after, upto],
    queryFn: ({ signal }) => get<TimelineDocument>(ofSession(session, "/timeline"), { window, columns: DETAIL, after, upto }, signal),
    staleTime: Infinity,
    enabled,
    placeholderData: keepPreviousData,
  });
}

export function useBranches(session: string) {
  return useQuery({
    queryKey: ["branches", session],
    queryFn: async ({ signal }) => (await get<BranchesDocument>(ofSession(session, "/views/branches"), {}, signal)).branches,
    staleTime: Infinity,
    placeholderData: keepPreviousData,
  });
}
