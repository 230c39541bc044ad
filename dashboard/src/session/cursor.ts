/** The version that the page stands at. The address holds it; while it is dragged, the flag is ahead of the page. */
import { useCallback, useEffect, useRef, useState } from "react";
import { setParams, useAddress } from "../address/address";

/** Milliseconds that a dragged cursor must rest before the page follows. */
const REST = 80;

export interface Cursor {
  /** Where the flag is, frame by frame. */
  at: number;
  /** The version that the page shows. */
  version: number;
  newest: number;
  past: boolean;
  pin: number | null;
  /** Moves the flag; the page follows after a rest. */
  move: (version: number) => void;
  movePin: (version: number | null) => void;
  /** Goes back to now, and follows what comes. */
  toNow: () => void;
}

function versionIn(params: URLSearchParams, name: string, newest: number): number | null {
  const value = Number(params.get(name));
  return Number.isInteger(value) && value > 0 ? Math.min(value, newest) : null;
}

export function useCursor(newest: number): Cursor {
  const { params } = useAddress();
  const asked = versionIn(params, "v", newest);
  const pin = versionIn(params, "pin", newest);
  const [moving, setMoving] = useState<number | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef(newest);
  latest.current = newest;
  useEffect(() => () => clearTimeout(timer.current), []);

  const move = useCallback((version: number) => {
    const to = Math.max(1, Math.min(version, latest.current));
    setMoving(to);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      setParams({ v: to === latest.current ? null : to }, { replace: true });
      setMoving(null);
    }, REST);
  }, []);
  const movePin = useCallback((version: number | null) => {
    setParams({ pin: version === null ? null : Math.max(1, Math.min(version, latest.current)) }, { replace: true });
  }, []);
  const toNow = useCallback(() => {
    clearTimeout(timer.current);
    setMoving(null);
    setParams({ v: null });
  }, []);

  const version = asked ?? newest;
  return { at: moving ?? version, version, newest, past: version < newest, pin, move, movePin, toNow };
}
