/** Messages of each format as a reader sees them: who speaks, and what in which form. */

export interface Said {
  kind: "text" | "call" | "result" | "media" | "thinking";
  text: string;
}

export interface Speech {
  who: string;
  said: Said[];
}

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null && !Array.isArray(value);
const word = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value, null, 1) ?? "");

function blockOf(block: unknown): Said[] {
  if (typeof block === "string") return [{ kind: "text", text: block }];
  if (!isFields(block)) return [];
  const kind = word(block.type ?? block.kind);
  switch (kind) {
    case "text":
      return [{ kind: "text", text: word(block.text) }];
    case "thinking":
      return [{ kind: "thinking", text: word(block.thinking ?? block.text) }];
    case "tool_use":
      return [{ kind: "call", text: `${word(block.name)}(${block.input === undefined ? word(block.text) : word(block.input)})` }];
    case "tool_result": {
      const content = block.content ?? block.text ?? "";
      const texts = Array.isArray(content) ? content.flatMap(blockOf).map((said) => said.text) : [word(content)];
      return [{ kind: "result", text: texts.join("\n") }];
    }
    case "json":
      return [{ kind: "text", text: word(block.text) }];
    default:
      return [{ kind: "media", text: word(block.media_type ?? kind) }];
  }
}

function callOf(call: unknown): Said {
  const asked = isFields(call) && isFields(call.function) ? call.function : {};
  return { kind: "call", text: `${word(asked.name)}(${word(asked.arguments)})` };
}

/** A message of OpenAI's, Anthropic's or our own format. */
export function speechOf(message: Fields): Speech {
  const who = word(message.name ?? message.speaker ?? message.role ?? "");
  const content = message.content ?? message.parts ?? [];
  const said = (Array.isArray(content) ? content : [content]).flatMap((block) => (block === null ? [] : blockOf(block)));
  if (message.role === "tool") return { who: "result", said: said.map(({ text }) => ({ kind: "result", text })) };
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls.map(callOf) : [];
  return { who, said: [...said, ...calls].filter((one) => one.text !== "") };
}

/** A message as lines of plain text. */
export function linesOf(message: Fields): string[] {
  const { who, said } = speechOf(message);
  return said.flatMap((one, place) => {
    const sign = one.kind === "call" ? "→ " : one.kind === "result" ? "← " : "";
    return `${place === 0 ? `${who}: ` : ""}${sign}${one.text}`.split("\n");
  });
}
