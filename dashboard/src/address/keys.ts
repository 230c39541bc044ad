/** Keys of the keyboard, where nobody is writing. */
import { useEffect, useRef } from "react";

type Keys = Record<string, (event: KeyboardEvent) => void>;

const WRITING = "input, textarea, select, [contenteditable], dialog[open]";

function nameOf(event: KeyboardEvent): string {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const shifted = event.shiftKey && event.key.length > 1 ? "Shift+" : "";
  return event.metaKey || event.ctrlKey ? `Mod+${shifted}${key}` : `${shifted}${key}`;
}

/** Calls what belongs to a key: "j", "Shift+ArrowLeft", "Mod+k". Keys with Mod also work while writing. */
export function useKeys(keys: Keys, enabled = true): void {
  const newest = useRef(keys);
  newest.current = keys;
  useEffect(() => {
    if (!enabled) return;
    function press(event: KeyboardEvent) {
      if (event.defaultPrevented || event.altKey) return;
      const name = nameOf(event);
      const action = newest.current[name];
      if (!action) return;
      const target = event.target as HTMLElement;
      if (!name.startsWith("Mod+") && target.closest?.(WRITING)) return;
      // A button in focus answers to Space and Enter by itself.
      if ((event.key === " " || event.key === "Enter") && target.closest?.("button, a, summary, [role=option]")) return;
      event.preventDefault();
      action(event);
    }
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [enabled]);
}
