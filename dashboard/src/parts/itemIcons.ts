/** The icon of each type of item. */
import type { IconName } from "./Icon";

const ICONS: Record<string, IconName> = {
  message: "message",
  tool_exchange: "tool",
  decision: "decision",
  goal: "goal",
  summary: "summary",
  code: "code",
  error: "error",
  question: "question",
  action: "action",
  constraint: "lock",
  task: "open",
  memory: "memory",
  artifact: "file",
  test_result: "done",
};

export function itemIcon(type: string): IconName {
  return ICONS[type.toLowerCase()] ?? "box";
}
