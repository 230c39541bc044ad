/** Events in words: an icon, who did it, and a line of text. */
import type { ContentDocument, EventDocument } from "../api/schema";
import type { IconName } from "../parts/Icon";
import { count, counted, percent } from "../parts/format";

const ICONS: Record<string, IconName> = {
  message: "message",
  tool_exchange: "tool",
  decision: "decision",
  goal: "goal",
  summary: "summary",
  code: "code",
  error: "error",
  test_result: "check",
  question: "question",
  action: "action",
  constraint: "lock",
  task: "box",
  artifact: "file",
  memory: "memory",
  system_prompt: "message",
};

/** The icon of an item's type. */
export const iconOf = (type: string): IconName => ICONS[type] ?? "file";

const EVENT_ICONS: [string, IconName][] = [
  ["message.", "message"],
  ["tool.", "tool"],
  ["model.", "memory"],
  ["decision.", "decision"],
  ["goal.", "goal"],
  ["question.", "question"],
  ["action.", "action"],
  ["constraint.", "lock"],
  ["task.", "box"],
  ["checkpoint.", "checkpoint"],
  ["session.backtracked", "backtrack"],
  ["session.forked", "fork"],
  ["session.", "clock"],
  ["items.compacted", "compaction"],
  ["compaction.", "compaction"],
  ["summary.", "summary"],
  ["results.", "compaction"],
  ["context.", "memory"],
  ["window.alerted", "error"],
  ["error.", "error"],
  ["item.pinned", "pin"],
  ["file.", "file"],
  ["commit.", "check"],
];

export function eventIcon(event: EventDocument): IconName {
  const brought = event.effects.brings as { type?: string } | undefined;
  if (event.type === "item.saved" && brought?.type) return iconOf(brought.type);
  return EVENT_ICONS.find(([start]) => event.type.startsWith(start))?.[1] ?? "box";
}

type Fields = Record<string, unknown>;

export const payloadOf = (event: EventDocument): Fields => (event.payload ?? {}) as Fields;

export const textOf = (event: EventDocument, field: string): string | null => event.contents.find((content) => content.field === field)?.text ?? null;

/** The parts of a message, in order, without what only its provider's format has. */
export function partsOf(event: EventDocument): ContentDocument[] {
  return event.contents.filter((content) => content.field.startsWith("parts.") && !content.field.endsWith(".extras"));
}

/** The first content that says something. */
function firstText(event: EventDocument): string {
  const parts = partsOf(event);
  const said = (parts.length ? parts : event.contents).find((content) => content.text && content.kind !== "thinking" && !content.field.endsWith("extras"));
  return said?.text ?? parts.find((part) => part.text)?.text ?? "";
}

export function speakerOf(event: EventDocument): string {
  const role = payloadOf(event).role;
  return event.actor ?? (typeof role === "string" ? role : "system");
}

export const isPerson = (event: EventDocument): boolean => payloadOf(event).role === "user";

/** A tool call as code: `read_file("config/settings.py")`. */
export function callText(part: ContentDocument, most = 120): string {
  let text = part.text ?? "";
  try {
    const given: unknown = JSON.parse(text);
    if (given && typeof given === "object" && !Array.isArray(given)) {
      const entries = Object.entries(given);
      const [first] = entries;
      text = entries.length === 1 && first ? JSON.stringify(first[1]) : entries.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(", ");
    }
  } catch {
    // Cut, or no JSON: shown as it is.
  }
  const line = text.replace(/\s+/g, " ");
  return `${part.name ?? "tool"}(${line.length > most ? `${line.slice(0, most)}…` : line})`;
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

const clean = (type: string): string => type.replace(/^[\w-]+:/, "").replaceAll(/[._]/g, " ");

/** Arguments that tell most of a call, and any other that is a text. The arguments may be cut off, so no JSON. */
const TELLING = /"(?:command|file_path|path|query|pattern|url)"\s*:\s*"((?:[^"\\]|\\.)*)/;
const ANY_TEXT = /"[^"]*"\s*:\s*"((?:[^"\\]|\\.)*)/;

/** A tool call where there is little room: its name and one argument. */
function callInShort(part: ContentDocument): string {
  const text = part.text ?? "";
  const first = (TELLING.exec(text) ?? ANY_TEXT.exec(text))?.[1];
  if (first === undefined) return callText(part, 90);
  const plain = first.replace(/\\[nrt]/g, " ").replace(/\\(.)/g, "$1");
  // The end of a long path tells more than its beginning.
  const said = /^[/~][^\s]{40,}$/.test(plain) ? `…/${plain.split("/").slice(-2).join("/")}` : plain;
  return oneLine(`${part.name ?? "tool"} ${said}`);
}

/** What an event or the item that it brought is called in a list. */
export function titleOf(event: EventDocument): string {
  const payload = payloadOf(event);
  switch (event.type) {
    case "message.added":
      return oneLine(`${speakerOf(event)}: ${firstText(event)}`);
    case "tool.called": {
      const calls = partsOf(event).filter((part) => part.kind === "tool_use");
      return calls.length ? calls.map(callInShort).join(", ") : oneLine(firstText(event));
    }
    case "tool.answered":
      return `Result: ${oneLine(firstText(event))}`;
    case "items.compacted":
      return `Summary of ${summarized(event)}`;
    case "summary.made":
      return "Session summary";
    case "session.backtracked":
      return `Backtrack to ${String(payload.to)}`;
    case "checkpoint.taken":
      return `Checkpoint “${String(payload.name ?? "").replaceAll("_", " ")}”`;
    case "prompt.set":
      return "System prompt";
    case "window.alerted":
      return `The window is at ${percent(Number(payload.ratio ?? 0))}, ${String(payload.level).replaceAll("_", " ")}`;
    case "results.stubbed":
      return `Tool results as stubs, ${count(Number(payload.tokens_before))} → ${count(Number(payload.tokens_after))} tokens`;
    case "phase.changed":
      return `Phase: ${String(payload.phase)}`;
    case "file.updated":
      return String(payload.path);
    case "session.tagged":
      return (payload.tags as string[]).join(", ");
    case "model.called":
      return `Call of ${String(payload.model)}`;
    case "agent.joined":
      return `${String(payload.name)} joined`;
    default:
      return oneLine(firstText(event)) || sentence(clean(event.type));
  }
}

export const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The kind of an event, for a heading: "Goal set". */
export const eventName = (event: EventDocument): string => sentence(clean(event.type));

/** The versions that a compaction summarized: "3–79". */
export function summarized(event: EventDocument): string {
  const items = summarizedItems(event);
  if (!items.length) return "what came before";
  return items.length === 1 ? String(items[0]) : `${Math.min(...items)}–${Math.max(...items)}`;
}

export interface Removal {
  items: number[];
  disposition: string;
  window: string;
}

export const removalsOf = (event: EventDocument): Removal[] => (event.effects.removes as Removal[] | undefined) ?? [];

export function summarizedItems(event: EventDocument): number[] {
  return removalsOf(event).flatMap((removal) => removal.items);
}

/** An event as markdown, to be pasted elsewhere. */
export function asMarkdown(event: EventDocument): string {
  const parts = partsOf(event);
  const said = (parts.length ? parts : event.contents.filter((content) => !content.field.endsWith("extras")))
    .map((content) => {
      if (content.erased) return "*(erased)*";
      if (content.kind === "tool_use") return `\`${callText(content, 10_000)}\``;
      if (content.kind === "tool_result") return `\`\`\`\n${content.text ?? ""}\n\`\`\``;
      return content.text ?? `*(${content.kind}, ${counted(content.size, "byte")})*`;
    })
    .join("\n\n");
  return `**${speakerOf(event)}** · v${event.version} · ${event.occurred_at}\n\n${said}`;
}
