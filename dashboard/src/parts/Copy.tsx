import { useEffect, useRef, useState } from "react";
import { Icon } from "./Icon";
import "./Copy.css";

export interface CopyChoice {
  name: string;
  /** The text, made when it is asked for. */
  text: () => string | Promise<string>;
}

/** A menu that copies something in one of several forms. */
export function Copy({ choices, label = "Copy" }: { choices: CopyChoice[]; label?: string }) {
  const [done, setDone] = useState<string | null>(null);
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const leave = (event: Event) => {
      if (menu.current?.open && !menu.current.contains(event.target as Node)) menu.current.open = false;
    };
    addEventListener("pointerdown", leave);
    return () => removeEventListener("pointerdown", leave);
  }, []);
  async function copy(choice: CopyChoice) {
    try {
      await navigator.clipboard.writeText(await choice.text());
      setDone(`Copied as ${choice.name}`);
    } catch {
      setDone("The browser did not allow it");
    }
    setTimeout(() => {
      setDone(null);
      if (menu.current) menu.current.open = false;
    }, 900);
  }
  return (
    <details className="copy" ref={menu} onKeyDown={(event) => event.key === "Escape" && menu.current && (menu.current.open = false)}>
      <summary className="button quiet compact only-icon" aria-label={label} title={label}>
        <Icon name="copy" small />
      </summary>
      <div className="menu">
        {done ? (
          <span role="status">{done}</span>
        ) : (
          choices.map((choice) => (
            <button key={choice.name} onClick={() => void copy(choice)}>
              {choice.name}
            </button>
          ))
        )}
      </div>
    </details>
  );
}
