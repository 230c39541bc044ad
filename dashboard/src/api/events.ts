/** Events of a session, which never change once they are recorded: in chunks of versions, one by one, and by title. */
import { keepPreviousData, useQueries, useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { get, ofSession } from "./client";
import type { CompactionsDocument, EventDocument, EventsDocument } from "./schema";

/** Versions of a chunk. */
export const CHUNK = 64;
/** The most characters of a text in a chunk; the whole text is one request away. */
export const CUT = 3000;

export const chunkOf = (version: number): number => Math.floor((version - 1) / CHUNK);

const chunkQuery = (session: string, chunk: number, newest: number) => {
  const after = chunk * CHUNK;
  const upto = Math.min(newest, after + CHUNK);
  return {
    queryKey: ["events", session, chunk, upto],
    queryFn: async ({ signal }: { signal: AbortSignal }) =>
      (await get<EventsDocument>(ofSession(session, "/events"), { after, upto, limit: CHUNK, text_length: CUT }, signal)).events,
    staleTime: Infinity,
    gcTime: 10 * 60_000,
  };
};

/** Some chunks, each loaded once. While the newest one grows, what was there stays: a list that lost it for a moment
 * would lose the reader's place. */
export function useChunks(session: string, chunks: number[], newest: number) {
  const queries = useQueryClient();
  const known = (chunk: number) =>
    queries
      .getQueriesData<EventDocument[]>({ queryKey: ["events", session, chunk] })
      .map(([, events]) => events)
      .reduce((most, events) => ((events?.length ?? 0) > (most?.length ?? 0) ? events : most), undefined);
  return useQueries({
    queries: chunks.map((chunk) => ({ ...chunkQuery(session, chunk, newest), placeholderData: () => known(chunk) })),
  });
}

export function prefetchChunk(queries: QueryClient, session: string, chunk: number, newest: number): void {
  void queries.prefetchQuery(chunkQuery(session, chunk, newest));
}

/** Whole events, by version. */
export function useEvents(session: string, versions: number[]) {
  return useQuery({
    queryKey: ["events", session, "whole", versions.join()],
    queryFn: async ({ signal }) => {
      const query = versions.slice(0, 100).map((version): [string, number] => ["version", version]);
      return (await get<EventsDocument>(ofSession(session, "/events"), query, signal)).events;
    },
    enabled: versions.length > 0,
    staleTime: Infinity,
  });
}

/** The compactions of a session, newest first. */
export function useCompactions(session: string) {
  return useQuery({
    queryKey: ["compactions", session],
    queryFn: async ({ signal }) => (await get<CompactionsDocument>(ofSession(session, "/window/compactions"), { limit: 1000 }, signal)).compactions,
    placeholderData: keepPreviousData,
  });
}

const TITLE = 160;
const AT_ONCE = 100;

/** The beginnings of events that lists show. Rows ask for what they show; what is asked for at once is one request. */
class Beginnings {
  private known = new Map<number, EventDocument>();
  private wanted = new Set<number>();
  private loading = new Set<number>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private watchers = new Set<() => void>();
  private edition = 0;

  constructor(private session: string) {}

  of(version: number): EventDocument | undefined {
    return this.known.get(version);
  }

  ask(versions: number[]): void {
    for (const version of versions) {
      if (!this.known.has(version) && !this.loading.has(version)) this.wanted.add(version);
    }
    if (this.wanted.size) this.timer ??= setTimeout(() => void this.load(), 16);
  }

  private async load(): Promise<void> {
    this.timer = undefined;
    const versions = [...this.wanted].slice(-AT_ONCE);
    this.wanted.clear();
    versions.forEach((version) => this.loading.add(version));
    const query: [string, number][] = [["text_length", TITLE], ...versions.map((version): [string, number] => ["version", version])];
    try {
      const { events } = await get<EventsDocument>(ofSession(this.session, "/events"), query);
      events.forEach((event) => this.known.set(event.version, event));
    } catch {
      // The rows keep their place and are asked for again when they are next seen.
    } finally {
      versions.forEach((version) => this.loading.delete(version));
      this.edition += 1;
      this.watchers.forEach((watcher) => watcher());
    }
  }

  watch = (watcher: () => void): (() => void) => {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  };
  snapshot = (): number => this.edition;
}

const beginnings = new Map<string, Beginnings>();

function beginningsOf(session: string): Beginnings {
  let found = beginnings.get(session);
  if (!found) beginnings.set(session, (found = new Beginnings(session)));
  return found;
}

/** The beginnings of the events of some versions, as far as they are there. */
export function useBeginnings(session: string, versions: number[]): (version: number) => EventDocument | undefined {
  const loader = beginningsOf(session);
  useSyncExternalStore(loader.watch, loader.snapshot);
  const name = versions.join();
  useEffect(() => loader.ask(name ? name.split(",").map(Number) : []), [loader, name]);
  return (version) => loader.of(version);
}
