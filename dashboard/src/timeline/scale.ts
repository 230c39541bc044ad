/** Where versions and tokens are on the chart. */
import type { ColumnDocument, LimitChangeDocument } from "../api/schema";

/** The versions that are visible; whole numbers only after a rest, so that panning is smooth. */
export interface View {
  from: number;
  to: number;
}

export const LEAST_SPAN = 12;
export const ZONES = [
  { from: 0.7, to: 0.85, name: "warning" },
  { from: 0.85, to: 0.95, name: "danger" },
  { from: 0.95, to: 1, name: "critical" },
] as const;

export function zoneOf(share: number): string {
  return [...ZONES].reverse().find((zone) => share >= zone.from)?.name ?? "safe";
}

const clamp = (value: number, low: number, high: number) => Math.max(low, Math.min(high, value));

export function whole(newest: number): View {
  return { from: 1, to: Math.max(2, newest) };
}

/** A view within the session, of at least the least span. */
function within(from: number, span: number, newest: number): View {
  const wide = clamp(span, Math.min(LEAST_SPAN, Math.max(1, newest - 1)), Math.max(1, newest - 1));
  const start = clamp(from, 1, Math.max(1, newest - wide));
  return { from: start, to: start + wide };
}

/** A view that is larger or smaller by a factor, with one version kept in its place. */
export function zoom(view: View, factor: number, around: number, newest: number): View {
  const span = view.to - view.from;
  const share = clamp((around - view.from) / span, 0, 1);
  const wide = clamp(span * factor, Math.min(LEAST_SPAN, newest - 1), newest - 1);
  return within(around - share * wide, wide, newest);
}

export function pan(view: View, versions: number, newest: number): View {
  return within(view.from + versions, view.to - view.from, newest);
}

/** The same span, moved so that a version is visible. */
export function showing(view: View, version: number, newest: number): View {
  if (version >= view.from && version <= view.to) return view;
  const span = view.to - view.from;
  return within(version - span / 2, span, newest);
}

/** A view that keeps up with a session that grows, if it reached to its end. */
export function grown(view: View, before: number, newest: number): View {
  if (newest === before) return view;
  if (view.from <= 1 && view.to >= before) return whole(newest);
  return view.to >= before ? within(newest - (view.to - view.from), view.to - view.from, newest) : view;
}

export interface Geometry {
  width: number;
  height: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
  /** The lane of the current branch, and the one of what was left. */
  lane: number;
  lowerLane: number;
  calls: number;
  axis: number;
  overview: number;
  small: boolean;
  mini: boolean;
}

export function geometry(width: number, mini: boolean): Geometry {
  const small = width < 700;
  const top = 22;
  const area = mini ? 30 : small ? 52 : 84;
  const bottom = top + area;
  const lane = bottom + 14;
  const lowerLane = lane + 12;
  const calls = lowerLane + 10;
  const axis = mini ? bottom + 17 : calls + 23;
  const overview = axis + 8;
  return {
    width,
    height: mini ? axis + 7 : overview + 26,
    left: small ? 12 : 62,
    right: width - (small ? 12 : 26),
    top,
    bottom,
    lane,
    lowerLane,
    calls,
    axis,
    overview,
    small,
    mini,
  };
}

export type ToX = (version: number) => number;

export function scaleX(place: Geometry, view: View): ToX {
  const perVersion = (place.right - place.left) / Math.max(1, view.to - view.from);
  return (version) => place.left + (version - view.from) * perVersion;
}

export function versionAt(place: Geometry, view: View, x: number, newest: number): number {
  const share = (x - place.left) / Math.max(1, place.right - place.left);
  return clamp(Math.round(view.from + share * (view.to - view.from)), 1, Math.max(1, newest));
}

/** The limit that a window had at a version, or null. */
export function limitAt(limits: LimitChangeDocument[], version: number): number | null {
  let limit: number | null = null;
  for (const change of limits) {
    if (change.version > version) break;
    limit = change.limit;
  }
  return limit;
}

/** How full the window was: of its limit, or of the most that it ever held where it has none. */
export function shares(limits: LimitChangeDocument[], columns: ColumnDocument[]): (version: number, tokens: number) => number {
  const most = Math.max(1, ...columns.map((column) => column.high)) * 1.15;
  return (version, tokens) => tokens / (limitAt(limits, version) ?? most);
}

/** The column that holds a version. */
export function columnAt(columns: ColumnDocument[], version: number): ColumnDocument | undefined {
  let low = 0;
  let high = columns.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (columns[middle]!.version < version) low = middle + 1;
    else high = middle;
  }
  return columns[low];
}

/** Round versions for an axis, at least so many pixels apart. */
export function ticks(view: View, place: Geometry, apart = 56): number[] {
  const most = Math.max(1, (place.right - place.left) / apart);
  const raw = (view.to - view.from) / most;
  const power = 10 ** Math.floor(Math.log10(Math.max(1, raw)));
  const step = Math.max(1, [1, 2, 5, 10].map((times) => times * power).find((size) => size >= raw) ?? 10 * power);
  const found: number[] = [];
  for (let version = Math.ceil(view.from / step) * step; version <= view.to; version += step) if (version > 0) found.push(version);
  return found;
}
