/** Documents for tests, whole and with what a test cares about. */
import type { EventDocument, StateDocument } from "../api/schema";
import type { WindowItem } from "../api/sessions";

export const SESSION = "0198c7d2-0000-7000-8000-000000000001";
const NOON = "2026-11-19T12:00:00Z";

export function item(id: number, given: Partial<WindowItem> = {}): WindowItem {
  return { item: id, type: "message", agent: "coder", origin: "model", tier: "WARM", score: 0.5, tokens: 100, accesses: 0, at: Date.parse(NOON), stub: false, ...given };
}

export function state(given: Partial<StateDocument> = {}): StateDocument {
  return {
    session: SESSION,
    version: 50,
    epoch: 0,
    recorded_at: NOON,
    started_at: NOON,
    last_activity: NOON,
    status: "open",
    title: "Mend the lamp",
    tags: [],
    project: null,
    phase: null,
    project_layer: null,
    clarity: null,
    agents: {},
    windows: { main: { limit: 4000, encoding: null, model: null, items: 0, tokens: 0 } },
    goals: [],
    questions: [],
    actions: [],
    constraints: [],
    tasks: [],
    current_task: null,
    decisions: [],
    decision_count: 0,
    candidates: [],
    system_prompt: null,
    summary: null,
    pins: [],
    last_assembly: null,
    items: [],
    counters: {},
    digest: "",
    ...given,
  };
}

export function event(version: number, type: string, texts: Record<string, string> = {}, given: Partial<EventDocument> = {}): EventDocument {
  return {
    session: SESSION,
    version,
    type,
    schema_version: 1,
    recorded_at: NOON,
    occurred_at: NOON,
    actor: "coder",
    caller: null,
    cause: null,
    epoch: 0,
    payload: {},
    effects: {},
    follows: version - 1,
    live: true,
    inherited: false,
    contents: Object.entries(texts).map(([field, text]) => ({
      field,
      kind: "text",
      media_type: "text/plain",
      size: text.length,
      erased: false,
      name: null,
      call_id: null,
      text,
    })),
    ...given,
  };
}
