/** What the page can change in a session. Everything else only looks. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ofSession, post } from "../api/client";
import type { ForkDocument, WrittenDocument } from "../api/schema";

function useWrite<Input, Output>(session: string, write: (input: Input) => Promise<Output>, then: (output: Output) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: write,
    onSuccess: async (output) => {
      for (const key of ["session", "timeline", "branches", "compactions"]) void queries.invalidateQueries({ queryKey: [key, session] });
      then(output);
    },
  });
}

export const useBacktrack = (session: string, then: () => void) =>
  useWrite(session, (input: { to: number; why: string }) => post<WrittenDocument>(ofSession(session, "/backtrack"), input), then);

export const useFork = (session: string, then: (fork: ForkDocument) => void) =>
  useWrite(session, (input: { at: number; title: string | null; why: string | null }) => post<ForkDocument>(ofSession(session, "/fork"), input), then);

export const useCheckpoint = (session: string, then: () => void) =>
  useWrite(session, (input: { name: string }) => post<WrittenDocument>(ofSession(session, "/checkpoints/create"), input), then);

export const useUndo = (session: string, then: () => void) =>
  useWrite(session, (input: { version: number; why: string | null }) => post<WrittenDocument>(ofSession(session, "/window/undo-compaction"), input), then);
