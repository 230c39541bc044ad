import { expect, test } from "vitest";
import type { PromptPieceDocument, RecordedPromptDocument, ReproductionDocument } from "../api/schema";
import { linesOf, speechOf } from "./messages";
import { placeOf } from "./queries";
import { reuseOf } from "./reuse";
import { blocksOf } from "./sections";

const text = (section: string, words: string): PromptPieceDocument => ({ section, item: null, text: words, message: null });
const prompt = (version: number, live: boolean) => ({ version, live }) as RecordedPromptDocument;

function made(pieces: PromptPieceDocument[], tools: unknown = null): ReproductionDocument {
  return { format: "markdown", prompt: pieces.map((piece) => piece.text).join(""), pieces, tools, tokens: 100 } as ReproductionDocument;
}

test("messages of each provider are read alike", () => {
  const openai = speechOf({ role: "assistant", content: null, tool_calls: [{ id: "1", type: "function", function: { name: "ls", arguments: "{}" } }] });
  const anthropic = speechOf({ role: "assistant", content: [{ type: "tool_use", id: "1", name: "ls", input: {} }] });
  expect(openai.said).toEqual([{ kind: "call", text: "ls({})" }]);
  expect(anthropic.said).toEqual(openai.said);
  expect(speechOf({ role: "tool", tool_call_id: "1", content: "a.py" })).toEqual({ who: "result", said: [{ kind: "result", text: "a.py" }] });
  expect(linesOf({ role: "user", name: "ana", content: "one\ntwo" })).toEqual(["ana: one", "two"]);
});

test("a message of a form that nobody knows is shown as far as it goes", () => {
  expect(speechOf({ role: "user", content: [{ type: "video", media_type: "video/mp4" }, null, 7] })).toEqual({
    who: "user",
    said: [{ kind: "media", text: "video/mp4" }],
  });
});

test("pieces stand together by section, with the tokens of what is told with them", () => {
  const sections = [
    { name: "role", tokens: 5, items: [], shown: null, further: [] },
    { name: "state", tokens: 7, items: [], shown: null, further: [] },
  ];
  const blocks = blocksOf([text("state", "a"), text("state", "b"), text("older", "c")], sections);
  expect(blocks.map((block) => [block.section, block.tokens, block.pieces.length])).toEqual([
    ["state", 12, 2],
    ["older", null, 1],
  ]);
});

test("the newest prompt at a version is the one recorded there, or the newest that counts", () => {
  const prompts = [prompt(30, false), prompt(20, true), prompt(10, true)];
  expect(placeOf(prompts, 30)).toMatchObject({ prompt: { version: 30 }, previous: 20 });
  expect(placeOf(prompts, 35)).toMatchObject({ prompt: { version: 20 }, previous: 10 });
  expect(placeOf([], 35)).toEqual({ prompt: null, previous: null });
});

test("what a cache could reuse ends at the first difference", () => {
  const before = made([text("system", "aaaa"), text("history", "bbbb")]);
  const reuse = reuseOf(made([text("system", "aaaa"), text("history", "bbbb"), text("history", "cccc"), text("state", "dddd")]), before);
  expect(reuse).toMatchObject({ gone: 0, share: 0.5, tokens: 50 });
  expect([...reuse!.fresh]).toEqual([2, 3]);
});

test("with other tools nothing can be reused", () => {
  const pieces = [text("system", "aaaa")];
  expect(reuseOf(made(pieces, [{ name: "ls" }]), made(pieces))?.share).toBe(0);
});
