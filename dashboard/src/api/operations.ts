/** Queries about the service and its database. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { API, get, post } from "./client";
import type {
  ActivitiesDocument,
  CallsDocument,
  FeedStatusDocument,
  JobsDocument,
  KeyListDocument,
  ProjectionsDocument,
  ReadinessDocument,
  RecordedRunsDocument,
  RetentionRulesDocument,
  SetAsidesDocument,
  StoreVerificationDocument,
} from "./schema";

/** Milliseconds between two looks at the health, which needs no right. */
const WATCH = 5_000;

/** Read once: calls that need the right to operate stand in the trail, which must not fill because a page is open. */
const watched = <T>(name: string, path: string, query = {}) =>
  ({ queryKey: ["operations", name, query], queryFn: ({ signal }: { signal: AbortSignal }) => get<T>(path, query, signal), staleTime: 60_000 });

export const useReadiness = () => useQuery({ ...watched<ReadinessDocument>("ready", "/readyz"), refetchInterval: WATCH });
export const useJobs = () => useQuery(watched<JobsDocument>("jobs", `${API}/jobs`));
export const useRuns = (job: string | null) => useQuery(watched<RecordedRunsDocument>("runs", `${API}/job-runs`, { job, limit: 20 }));
export const useFeed = () => useQuery(watched<FeedStatusDocument>("feed", `${API}/feed-status`));
export const useProjections = () => useQuery(watched<ProjectionsDocument>("projections", `${API}/projections`));
export const useSetAside = () => useQuery(watched<SetAsidesDocument>("set-aside", `${API}/set-aside`));
export const useKeyList = () => useQuery(watched<KeyListDocument>("keys", `${API}/keys`));
export const useCalls = () => useQuery(watched<CallsDocument>("calls", `${API}/keys/calls`, { limit: 20 }));
export const useRetention = () => useQuery(watched<RetentionRulesDocument>("retention", `${API}/retention`));
export const useActivity = (since: string) => useQuery(watched<ActivitiesDocument>("activity", `${API}/activity`, { since }));

/** Checks every chain of the store, when it is asked to. */
export const useVerifyAll = () =>
  useQuery({ queryKey: ["operations", "verify"], queryFn: ({ signal }) => get<StoreVerificationDocument>(`${API}/verify-all`, {}, signal), enabled: false, staleTime: Infinity });

/** Reads everything again. */
export function useReadAgain(): () => void {
  const queries = useQueryClient();
  return () => void queries.invalidateQueries({ queryKey: ["operations"], predicate: (query) => query.queryKey[1] !== "verify" });
}

export function useRunJob() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (job: string) => post(`${API}/jobs/run`, { job }),
    onSettled: () => queries.invalidateQueries({ queryKey: ["operations"] }),
  });
}
