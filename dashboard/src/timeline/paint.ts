/** What is drawn on the canvas: the usage of the window, calls, and the overview. Columns in, pixels out. */
import type { ColumnDocument, TimelineCallDocument } from "../api/schema";
import { includes, type Range } from "./branches";
import type { Geometry, ToX, View } from "./scale";
import { ZONES } from "./scale";

type Colours = Record<"line" | "line2" | "control" | "accent" | "text3" | "sunken" | "safe" | "warning" | "danger" | "critical" | "warningSoft" | "dangerSoft" | "criticalSoft", string>;

export interface Picture {
  columns: ColumnDocument[];
  overview: ColumnDocument[];
  calls: TimelineCallDocument[] | null;
  share: (version: number, tokens: number) => number;
  /** Whether the window has a limit, so that zones mean something. */
  limited: boolean;
  /** The versions that lead to the cursor, and to the newest version. */
  path: Range[];
  current: Range[];
  cursor: number;
  pin: number | null;
  newest: number;
  view: View;
}

export function coloursOf(element: Element): Colours {
  const style = getComputedStyle(element);
  const value = (name: string) => style.getPropertyValue(name).trim();
  return {
    line: value("--line"),
    line2: value("--line-2"),
    control: value("--control"),
    accent: value("--accent"),
    text3: value("--text-3"),
    sunken: value("--sunken"),
    safe: value("--safe-fill"),
    warning: value("--warn-fill"),
    danger: value("--danger-fill"),
    critical: value("--crit-fill"),
    warningSoft: value("--warn-soft"),
    dangerSoft: value("--danger-soft"),
    criticalSoft: value("--crit-soft"),
  };
}

type Standing = "past" | "future" | "abandoned";

interface Point {
  x: number;
  y: number;
  low: number;
  high: number;
}

/** Runs of columns that look alike. Each begins where the one before it ends. */
function runs(picture: Picture, place: Geometry, toX: ToX): { standing: Standing; points: Point[] }[] {
  const found: { standing: Standing; points: Point[] }[] = [];
  const height = place.bottom - place.top;
  const toY = (version: number, tokens: number) => place.bottom - Math.min(1, picture.share(version, tokens)) * height;
  let last: (typeof found)[number] | undefined;
  for (const column of picture.columns) {
    const { version } = column;
    const standing: Standing = includes(picture.path, version)
      ? version <= picture.cursor
        ? "past"
        : "future"
      : includes(picture.current, version)
        ? "future"
        : "abandoned";
    const point = { x: toX(version), y: toY(version, column.tokens), low: toY(version, column.low), high: toY(version, column.high) };
    if (last?.standing !== standing) {
      const joined = last && (standing === "abandoned" || (standing === "future" && last.standing === "past"));
      last = { standing, points: joined ? [last!.points.at(-1)!] : [] };
      found.push(last);
    }
    last.points.push(point);
  }
  return found;
}

const STEEP = 6;

function trace(context: CanvasRenderingContext2D, points: Point[]): void {
  context.beginPath();
  points.forEach((point, index) => {
    const before = points[index - 1];
    if (!before) return context.moveTo(point.x, point.y);
    // What was taken out left at once, not bit by bit.
    if (point.y - before.y > STEEP) context.lineTo(point.x, before.y);
    context.lineTo(point.x, point.y);
  });
}

function close(context: CanvasRenderingContext2D, points: Point[], bottom: number): void {
  context.lineTo(points.at(-1)!.x, bottom);
  context.lineTo(points[0]!.x, bottom);
  context.closePath();
}

function ramp(context: CanvasRenderingContext2D, colours: Colours, top: number, bottom: number, limited: boolean): CanvasGradient | string {
  if (!limited) return colours.safe;
  const gradient = context.createLinearGradient(0, bottom, 0, top);
  gradient.addColorStop(0, colours.safe);
  let before = colours.safe;
  for (const zone of ZONES) {
    gradient.addColorStop(zone.from, before);
    gradient.addColorStop(zone.from, colours[zone.name]);
    before = colours[zone.name];
  }
  return gradient;
}

function hatch(context: CanvasRenderingContext2D, colour: string): CanvasPattern | string {
  const tile = document.createElement("canvas");
  tile.width = tile.height = 6;
  const on = tile.getContext("2d");
  if (!on) return colour;
  on.strokeStyle = colour;
  on.globalAlpha = 0.6;
  on.lineWidth = 1;
  on.beginPath();
  for (const shift of [-6, 0, 6]) {
    on.moveTo(shift, 6);
    on.lineTo(shift + 6, 0);
  }
  on.stroke();
  return context.createPattern(tile, "repeat") ?? colour;
}

/** Draws everything; a few milliseconds however long the session is, since columns are at most some thousand. */
export function paint(context: CanvasRenderingContext2D, picture: Picture, place: Geometry, toX: ToX, colours: Colours): void {
  const { left, right, top, bottom } = place;
  context.clearRect(0, 0, place.width, place.height);
  context.save();
  context.beginPath();
  context.rect(left, 0, right - left, place.mini ? place.height : place.overview - 2);
  context.clip();
  if (picture.limited) paintZones(context, place, colours);
  const fill = ramp(context, colours, top, bottom, picture.limited);
  for (const { standing, points } of runs(picture, place, toX)) {
    if (!points.length) continue;
    paintRun(context, standing, points, bottom, fill, colours);
  }
  if (picture.pin !== null) {
    const [from, to] = [toX(picture.pin), toX(picture.cursor)].sort((a, b) => a - b) as [number, number];
    context.globalAlpha = place.mini ? 0.1 : 0.06;
    context.fillStyle = colours.accent;
    context.fillRect(from, top, to - from, bottom - top);
    context.globalAlpha = 1;
  }
  context.fillStyle = colours.line2;
  context.fillRect(left, bottom - 0.5, right - left, 1);
  if (!place.mini) paintCalls(context, picture, place, toX, colours);
  context.restore();
  if (!place.mini) paintOverview(context, picture, place, colours);
}

function paintZones(context: CanvasRenderingContext2D, { left, right, top, bottom }: Geometry, colours: Colours): void {
  const height = bottom - top;
  for (const zone of ZONES) {
    context.globalAlpha = 0.75;
    context.fillStyle = colours[`${zone.name}Soft`];
    context.fillRect(left, bottom - zone.to * height, right - left, (zone.to - zone.from) * height);
    context.strokeStyle = colours[zone.name];
    context.lineWidth = 1;
    context.setLineDash([2, 3]);
    context.beginPath();
    context.moveTo(left, bottom - zone.from * height);
    context.lineTo(right, bottom - zone.from * height);
    context.stroke();
  }
  context.setLineDash([]);
  context.globalAlpha = 1;
}

function paintRun(context: CanvasRenderingContext2D, standing: Standing, points: Point[], bottom: number, fill: CanvasGradient | string, colours: Colours): void {
  const past = standing === "past";
  trace(context, points);
  close(context, points, bottom);
  context.globalAlpha = standing === "past" ? 0.28 : standing === "future" ? 0.1 : 0.9;
  context.fillStyle = past ? fill : standing === "future" ? colours.control : hatch(context, colours.control);
  context.fill();
  context.globalAlpha = standing === "future" ? 0.45 : standing === "past" ? 0.35 : 0.3;
  context.strokeStyle = past ? fill : colours.control;
  context.lineWidth = 1;
  context.beginPath();
  for (const { x, low, high } of points) {
    if (low - high < 2) continue;
    context.moveTo(x, low);
    context.lineTo(x, high);
  }
  context.stroke();
  context.globalAlpha = past ? 1 : standing === "future" ? 0.5 : 1;
  context.lineWidth = past ? 1.7 : 1.2;
  context.lineJoin = "round";
  context.setLineDash(standing === "abandoned" ? [3, 2.5] : []);
  trace(context, points);
  context.stroke();
  context.setLineDash([]);
  context.globalAlpha = 1;
}

const MOST_CALLS = 900;

function paintCalls(context: CanvasRenderingContext2D, picture: Picture, place: Geometry, toX: ToX, colours: Colours): void {
  const bottom = place.calls + 8;
  const tall = Math.max(1, ...picture.overview.map((column) => column.input_tokens));
  context.fillStyle = colours.text3;
  const { calls, view } = picture;
  const seen = calls?.filter((call) => call.version >= view.from - 1 && call.version <= view.to + 1);
  if (seen && seen.length <= MOST_CALLS) {
    for (const call of seen) {
      const height = 3 + (7 * (call.input_tokens ?? 0)) / tall;
      context.globalAlpha = includes(picture.path, call.version) ? 0.8 : 0.4;
      context.fillRect(toX(call.version) - 1, bottom - height, 2, height);
    }
  } else {
    // Too many for one tick each: how dense they are.
    const most = Math.max(1, ...picture.columns.map((column) => column.calls));
    for (const column of picture.columns) {
      if (!column.calls) continue;
      const height = 2 + (8 * column.calls) / most;
      context.globalAlpha = 0.55;
      context.fillRect(toX(column.version) - 0.5, bottom - height, 1, height);
    }
  }
  context.globalAlpha = 1;
}

function paintOverview(context: CanvasRenderingContext2D, picture: Picture, place: Geometry, colours: Colours): void {
  const { left, right, overview } = place;
  context.fillStyle = colours.sunken;
  context.beginPath();
  context.roundRect(left, overview, right - left, 18, 3);
  context.fill();
  const per = (right - left) / Math.max(1, picture.newest - 1);
  context.beginPath();
  context.moveTo(left, overview + 18);
  for (const column of picture.overview) {
    context.lineTo(left + (column.version - 1) * per, overview + 18 - Math.min(1, picture.share(column.version, column.tokens)) * 16);
  }
  context.lineTo(right, overview + 18);
  context.closePath();
  context.globalAlpha = 0.38;
  context.fillStyle = colours.control;
  context.fill();
  context.globalAlpha = 1;
}
