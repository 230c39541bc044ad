import { useEffect, useRef, useState } from "react";
import type { Cursor } from "../session/cursor";

const SPEEDS = [1, 4, 16, 64];

export interface Play {
  playing: boolean;
  /** Versions per second. */
  speed: number;
  speeds: number[];
  setSpeed: (speed: number) => void;
  toggle: () => void;
}

/** Runs the cursor forwards until it reaches now. */
export function usePlay(cursor: Cursor): Play {
  const [playing, setPlaying] = useState(false);
  const [speed, setSpeed] = useState(4);
  const now = useRef(cursor);
  now.current = cursor;
  useEffect(() => {
    if (!playing) return;
    let at = now.current.at;
    let before = performance.now();
    let frame = requestAnimationFrame(function step(time) {
      at += ((time - before) / 1000) * speed;
      before = time;
      const to = Math.floor(at);
      if (to !== now.current.at) now.current.move(to);
      if (to >= now.current.newest) return setPlaying(false);
      frame = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(frame);
  }, [playing, speed]);
  function toggle() {
    if (!playing && cursor.at >= cursor.newest) cursor.move(1);
    setPlaying(!playing);
  }
  return { playing, speed, speeds: SPEEDS, setSpeed, toggle };
}
