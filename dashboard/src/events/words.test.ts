import { expect, test } from "vitest";
import { event } from "../testing/made";
import { asMarkdown, titleOf } from "./words";

const call = (name: string, args: string) =>
  event(4, "tool.called", {}, {
    contents: [{ field: "parts.0", kind: "tool_use", media_type: "application/json", size: args.length, erased: false, name, call_id: "call", text: args }],
  });

test("a tool call is called by its name and the argument that tells most", () => {
  expect(titleOf(call("Bash", '{"command":"git stash && git fetch","description":"Stash"}'))).toBe("Bash git stash && git fetch");
  expect(titleOf(call("Edit", '{"replace_all":false,"file_path":"api/tokens.py"}'))).toBe("Edit api/tokens.py");
  expect(titleOf(call("Read", '{"file_path":"/home/ana/a/very/long/way/down/to/the/orders/tokens.py"}'))).toBe("Read …/orders/tokens.py");
});

test("arguments that are cut off or no JSON are shown as they are", () => {
  expect(titleOf(call("shell", '{"command":"pytest -v tests/en'))).toBe("shell pytest -v tests/en");
  expect(titleOf(call("shell", "ls"))).toBe("shell(ls)");
});

test("an event that has no words of its own is called by its type", () => {
  expect(titleOf(event(9, "acme:deploy.finished"))).toBe("Deploy finished");
});

test("an event as markdown says who, which version and when", () => {
  const said = asMarkdown(event(3, "message.added", { "parts.0": "Hello." }, { actor: null, payload: { role: "user" } }));
  expect(said).toBe("**user** · v3 · 2026-11-19T12:00:00Z\n\nHello.");
});
