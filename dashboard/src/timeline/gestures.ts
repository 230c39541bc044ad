/** Pointers on the chart: drags of the cursors and of the overview's range, pans, pinches and hovers. */
import { useRef, type PointerEvent, type RefObject } from "react";
import { pan, versionAt, zoom, type Geometry, type View } from "./scale";

type Held = "cursor" | "pin" | "range" | "from" | "to" | "pinch";

const LONG_PRESS = 550;
const REACH = 8;

interface Gestures {
  element: RefObject<SVGSVGElement | null>;
  place: Geometry;
  view: View;
  newest: number;
  /** The version that a pointer means: that of a mark nearby, or the one under it. */
  snap: (x: number) => number;
  move: (version: number) => void;
  movePin: (version: number) => void;
  setView: (view: View) => void;
  hover: (x: number | null) => void;
}

export function useGestures({ element, place, view, newest, snap, move, movePin, setView, hover }: Gestures) {
  const held = useRef<Held | null>(null);
  const pointers = useRef(new Map<number, number>());
  const before = useRef({ x: 0, view, apart: 0 });
  const press = useRef<ReturnType<typeof setTimeout>>(undefined);

  const xOf = (event: PointerEvent) => event.clientX - (element.current?.getBoundingClientRect().left ?? 0);
  const yOf = (event: PointerEvent) => event.clientY - (element.current?.getBoundingClientRect().top ?? 0);
  const perPixel = (newest - 1) / Math.max(1, place.right - place.left);

  function down(event: PointerEvent<SVGSVGElement>) {
    if (event.button !== 0 || (event.target as Element).closest("a")) return;
    const x = xOf(event);
    pointers.current.set(event.pointerId, x);
    element.current?.setPointerCapture(event.pointerId);
    hover(null);
    if (pointers.current.size === 2) {
      const [a, b] = [...pointers.current.values()] as [number, number];
      held.current = "pinch";
      before.current = { x: (a + b) / 2, view, apart: Math.max(10, Math.abs(a - b)) };
      clearTimeout(press.current);
      return;
    }
    before.current = { x, view, apart: 0 };
    if (!place.mini && yOf(event) >= place.overview - 2) {
      const toX = (version: number) => place.left + (version - 1) / perPixel;
      const [from, to] = [toX(view.from), toX(view.to)];
      held.current = Math.abs(x - from) < REACH ? "from" : Math.abs(x - to) < REACH ? "to" : "range";
      if (held.current === "range" && (x < from || x > to)) {
        const middle = 1 + (x - place.left) * perPixel;
        const centred = pan(view, middle - (view.from + view.to) / 2, newest);
        before.current.view = centred;
        setView(centred);
      }
      return;
    }
    const cursor = (event.target as Element).closest<SVGElement>("[data-cursor]");
    cursor?.focus();
    held.current = cursor?.dataset.cursor === "pin" ? "pin" : "cursor";
    if (held.current === "cursor" && !cursor) move(snap(x));
    if (event.pointerType === "touch") press.current = setTimeout(() => movePin(versionAt(place, view, x, newest)), LONG_PRESS);
  }

  function moved(event: PointerEvent<SVGSVGElement>) {
    const x = xOf(event);
    if (!held.current) return hover(yOf(event) < (place.mini ? place.height : place.overview) ? x : null);
    if (Math.abs(x - before.current.x) > 4) clearTimeout(press.current);
    pointers.current.set(event.pointerId, x);
    const start = before.current;
    const shift = (x - start.x) * perPixel;
    switch (held.current) {
      case "cursor":
        return move(snap(x));
      case "pin":
        return movePin(snap(x));
      case "range":
        return setView(pan(start.view, shift, newest));
      case "from":
        return setView(bounded(start.view.from + shift, start.view.to));
      case "to":
        return setView(bounded(start.view.from, start.view.to + shift));
      case "pinch": {
        const [a, b] = [...pointers.current.values()] as [number, number];
        if (b === undefined) return;
        return setView(zoom(start.view, start.apart / Math.max(10, Math.abs(a - b)), versionAt(place, start.view, start.x, newest), newest));
      }
    }
  }

  function bounded(from: number, to: number): View {
    const low = Math.max(1, Math.min(from, to - 12));
    return { from: low, to: Math.min(newest, Math.max(to, low + 12)) };
  }

  function up(event: PointerEvent<SVGSVGElement>) {
    clearTimeout(press.current);
    pointers.current.delete(event.pointerId);
    if (!pointers.current.size) held.current = null;
  }

  return { onPointerDown: down, onPointerMove: moved, onPointerUp: up, onPointerCancel: up, onPointerLeave: () => hover(null) };
}
