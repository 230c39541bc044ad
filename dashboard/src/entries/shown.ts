import type { EventDocument } from "../api/schema";

/** Events that are no part of a conversation for its reader; "All events" shows them too. */
const QUIET = [
  "model.called",
  "context.assembled",
  "tiers.reassigned",
  "items.touched",
  "tokens.counted",
  "working_set.kept",
  "lines.imported",
  "agent.joined",
  "policy.chosen",
  "tool.answered",
  "memory.session_reviewed",
  "command.executed",
];

export const isShown = (event: EventDocument): boolean => !QUIET.includes(event.type);
