/** The order of a list that is updated while it is read: rows stay where they are until the reader asks. */
import { useRef, useState } from "react";

interface Ordered<T> {
  rows: T[];
  /** Rows that came since. */
  fresh: number;
  /** Takes the newest order. */
  renew: () => void;
}

export function useHeldOrder<T>(rows: T[], nameOf: (row: T) => string, filter: string): Ordered<T> {
  const held = useRef<{ filter: string; names: Map<string, number> }>({ filter: "\0", names: new Map() });
  const [, again] = useState(0);
  const take = () => new Map(rows.map((row, place) => [nameOf(row), place]));
  const known = held.current;
  if (known.filter !== filter) held.current = { filter, names: take() };
  const { names } = held.current;
  // What is older comes at the end, as the list is read on.
  const lastKnown = rows.findLastIndex((row) => names.has(nameOf(row)));
  rows.slice(lastKnown + 1).forEach((row) => names.set(nameOf(row), names.size + 1_000_000));
  const place = (row: T) => names.get(nameOf(row));
  const shown = rows.filter((row) => place(row) !== undefined).sort((a, b) => place(a)! - place(b)!);
  return {
    rows: shown,
    fresh: rows.length - shown.length,
    renew: () => {
      held.current = { filter, names: take() };
      again((n) => n + 1);
    },
  };
}
