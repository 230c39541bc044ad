import { useRef, useState } from "react";
import { Icon } from "./Icon";
import "./CopyMenu.css";

export interface CopyOption {
  name: string;
  text: () => string;
}

/** A menu of forms in which something can be copied. */
export function CopyMenu({ options }: { options: CopyOption[] }) {
  const menu = useRef<HTMLDetailsElement>(null);
  const [copied, setCopied] = useState<string | null>(null);

  async function copy(option: CopyOption) {
    if (menu.current) menu.current.open = false;
    try {
      await navigator.clipboard.writeText(option.text());
      setCopied(`Copied: ${option.name}`);
    } catch {
      setCopied("The browser does not let the page copy");
    }
    setTimeout(() => setCopied(null), 2500);
  }

  return (
    <details
      className="copy-menu"
      ref={menu}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) event.currentTarget.open = false;
      }}
    >
      <summary className="button">
        <Icon name={copied ? "check" : "copy"} small />
        <span aria-live="polite">{copied ?? "Copy"}</span>
      </summary>
      <ul>
        {options.map((option) => (
          <li key={option.name}>
            <button onClick={() => void copy(option)}>{option.name}</button>
          </li>
        ))}
      </ul>
    </details>
  );
}
