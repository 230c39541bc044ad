import { useRef, type FormEvent, type KeyboardEvent } from "react";
import { go, useAddress, withParams } from "../address/address";
import { useKeys } from "../address/keys";
import { Icon } from "../parts/Icon";
import { versionIn } from "./snippet";
import "./SearchField.css";

/** The box for texts and versions in the top bar. */
export function SearchField() {
  const { path, params } = useAddress();
  const input = useRef<HTMLInputElement>(null);
  const session = path.startsWith("/sessions/") ? decodeURIComponent(path.split("/")[2] ?? "") : params.get("session");
  useKeys({ "Mod+k": () => input.current?.select(), "/": () => input.current?.select() });

  function submit(event: FormEvent) {
    event.preventDefault();
    const text = input.current?.value.trim() ?? "";
    const version = versionIn(text);
    if (session && version !== null && path.startsWith("/sessions/")) go(withParams(path, { v: version }));
    else if (text) go(withParams("/search", { q: text, session }));
    input.current?.blur();
  }

  function leave(event: KeyboardEvent) {
    if (event.key === "Escape") input.current?.blur();
  }

  return (
    <form className="top-search" role="search" aria-label="Everything" onSubmit={submit}>
      <label className="field compact">
        <Icon name="search" small />
        <input ref={input} key={params.get("q")} defaultValue={path === "/search" ? (params.get("q") ?? "") : ""} placeholder={session ? "Search or jump to a version" : "Search everything"} aria-label="Search" onKeyDown={leave} />
        <kbd>⌘K</kbd>
      </label>
    </form>
  );
}
