/** The address is the page's only state that is worth sharing: what is shown is a function of it and of the service. */
import { useMemo, useSyncExternalStore } from "react";

export interface Address {
  path: string;
  params: URLSearchParams;
}

export type Params = Record<string, string | number | boolean | null | undefined>;

const watchers = new Set<() => void>();
const tell = () => watchers.forEach((watcher) => watcher());

addEventListener("popstate", tell);

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

const whole = () => location.pathname + location.search;

/** Where the page is. */
export function useAddress(): Address {
  const text = useSyncExternalStore(watch, whole);
  return useMemo(() => {
    const [path = "/", search = ""] = text.split("?", 2);
    return { path, params: new URLSearchParams(search) };
  }, [text]);
}

/** Goes to an address of the page. */
export function go(to: string, { replace = false } = {}): void {
  if (to === whole()) return;
  history[replace ? "replaceState" : "pushState"](null, "", to);
  tell();
}

/** An address with parameters; those without a value are left out. */
export function withParams(path: string, params: Params): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== null && value !== undefined && value !== "" && value !== false) search.set(name, String(value));
  }
  const text = search.toString();
  return text ? `${path}?${text}` : path;
}

/** Changes some parameters of the address and keeps the others. */
export function setParams(params: Params, { replace = false } = {}): void {
  const now = Object.fromEntries(new URLSearchParams(location.search));
  go(withParams(location.pathname, { ...now, ...params }), { replace });
}
