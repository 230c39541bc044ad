import { useEffect, useState, type FormEvent } from "react";

interface Props {
  name: string;
  version: number;
  newest: number;
  onChange: (version: number) => void;
}

/** A version that one may type. */
export function VersionField({ name, version, newest, onChange }: Props) {
  const [text, setText] = useState(String(version));
  useEffect(() => setText(String(version)), [version]);

  function submit(event: FormEvent) {
    event.preventDefault();
    const typed = Math.round(Number(text.replace(/^v/i, "")));
    if (typed >= 1 && typed <= newest) onChange(typed);
    else setText(String(version));
  }

  return (
    <form className="version-field" onSubmit={submit}>
      <span>v</span>
      <input aria-label={name} value={text} inputMode="numeric" size={Math.max(2, text.length)} onChange={(event) => setText(event.target.value)} onBlur={submit} />
    </form>
  );
}
