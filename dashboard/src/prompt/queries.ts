/** Queries of recorded prompts and of the calls that were made with them. */
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { get, ofSession } from "../api/client";
import type {
  EventsDocument,
  ModelCallDocument,
  ModelCallsDocument,
  PromptsDocument,
  RecordedPromptDocument,
  ReproductionDocument,
  TextDocument,
} from "../api/schema";

const NEARBY = 20;

export interface PromptPlace {
  prompt: RecordedPromptDocument | null;
  /** The version of the prompt before it. */
  previous: number | null;
}

/** Of prompts, the newest first, the one that belongs to a version: recorded at it, or the newest before it that still counts. */
export function placeOf(prompts: RecordedPromptDocument[], version: number): PromptPlace {
  const exact = prompts.findIndex((prompt) => prompt.version === version);
  const live = prompts.findIndex((prompt) => prompt.live);
  const place = exact >= 0 ? exact : Math.max(0, live);
  return { prompt: prompts[place] ?? null, previous: prompts[place + 1]?.version ?? null };
}

/** The newest prompt at a version. */
export function usePromptAt(session: string, version: number) {
  return useQuery({
    queryKey: ["prompt-at", session, version],
    queryFn: async ({ signal }) => {
      const page = await get<PromptsDocument>(ofSession(session, "/views/prompts"), { before: version + 1, limit: NEARBY }, signal);
      return placeOf(page.prompts, version);
    },
    staleTime: Infinity,
    placeholderData: keepPreviousData,
  });
}

/** The version of the next prompt after a version. */
export function useNextPrompt(session: string, version: number | null) {
  return useQuery({
    queryKey: ["prompt-after", session, version],
    queryFn: async ({ signal }) => {
      const found = await get<EventsDocument>(
        ofSession(session, "/events"),
        { after: version, types: "context.assembled", limit: 1 },
        signal,
      );
      return found.events[0]?.version ?? null;
    },
    enabled: version !== null,
  });
}

/** A prompt, made again from the log and compared. */
export function useReproduction(session: string, version: number | null) {
  return useQuery({
    queryKey: ["reproduction", session, version],
    queryFn: ({ signal }) => get<ReproductionDocument>(ofSession(session, "/reproduce"), { version }, signal),
    enabled: version !== null,
    staleTime: Infinity,
  });
}

export interface Answer {
  version: number;
  text: string;
}

export interface CallWithAnswer {
  call: ModelCallDocument;
  answer: Answer | null;
  /** What names the call or its answer as its cause. */
  ledTo: { version: number; type: string }[];
}

/** A call, its answer and what it led to. */
export function useCall(session: string, version: number | null) {
  return useQuery({
    queryKey: ["call", session, version],
    queryFn: async ({ signal }): Promise<CallWithAnswer | null> => {
      const page = await get<ModelCallsDocument>(ofSession(session, "/views/model-calls"), { before: version! + 1, limit: 1 }, signal);
      const call = page.calls[0];
      if (!call) return null;
      const after = await get<EventsDocument>(ofSession(session, "/events"), { after: version!, limit: 20 }, signal);
      const message = call.message ?? after.events.find((event) => event.cause === call.version && event.type === "message.added")?.version ?? null;
      const ledTo = after.events.filter(
        (event) => event.version !== message && (event.cause === call.version || (message !== null && event.cause === message)),
      );
      const answer = message === null ? null : await answerOf(session, message, signal);
      return { call, answer, ledTo: ledTo.map(({ version, type }) => ({ version, type })) };
    },
    enabled: version !== null,
    staleTime: Infinity,
  });
}

async function answerOf(session: string, version: number, signal: AbortSignal): Promise<Answer> {
  const { text } = await get<TextDocument>(ofSession(session, "/text"), { item: version }, signal);
  return { version, text };
}

/** All calls, the newest first, page by page. */
export function useCalls(session: string) {
  return useInfiniteQuery({
    queryKey: ["calls", session],
    queryFn: ({ pageParam, signal }) =>
      get<ModelCallsDocument>(ofSession(session, "/views/model-calls"), { limit: 100, before: pageParam }, signal),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => page.next ?? undefined,
  });
}
