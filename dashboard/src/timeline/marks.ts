/** Marks of a timeline: which kinds there are, and which are drawn as one. */
import type { TimelineMarkDocument } from "../api/schema";
import type { ToX } from "./scale";

export type Kind = "compaction" | "checkpoint" | "backtrack" | "alert" | "decision" | "fork" | "end";

/** Similar marks look alike: stubs and clears took things out, undos brought them back. */
export function kindOf(mark: TimelineMarkDocument): Kind {
  switch (mark.kind) {
    case "stubs":
    case "undo":
    case "clear":
      return "compaction";
    default:
      return mark.kind as Kind;
  }
}

export interface MarkGroup {
  kind: Kind;
  /** The newest of them. */
  mark: TimelineMarkDocument;
  marks: TimelineMarkDocument[];
  x: number;
}

const NEAR = 10;

/** Marks in sight, those of a kind that would overlap as one with a count. None is left out. */
export function grouped(marks: TimelineMarkDocument[], toX: ToX, left: number, right: number, shown: ReadonlySet<Kind>): MarkGroup[] {
  const groups: MarkGroup[] = [];
  const newest = new Map<Kind, MarkGroup>();
  for (const mark of marks) {
    const kind = kindOf(mark);
    const x = toX(mark.version);
    if (!shown.has(kind) || x < left - NEAR || x > right + NEAR) continue;
    const last = newest.get(kind);
    if (last && x - last.x < NEAR && levelOf(last.mark) === levelOf(mark)) {
      last.marks.push(mark);
      last.mark = mark;
      continue;
    }
    const group = { kind, mark, marks: [mark], x };
    newest.set(kind, group);
    groups.push(group);
  }
  return groups;
}

/** The zone of an alert, which its colour shows; nothing for other marks. */
export function levelOf(mark: TimelineMarkDocument): string {
  if (mark.kind !== "alert") return "";
  const note = mark.note ?? "";
  return note.includes("critical") ? "critical" : note.includes("danger") || note.includes("low") ? "danger" : "warning";
}

const NAMES: Record<string, string> = {
  compaction: "Compaction",
  stubs: "Tool results replaced by stubs",
  undo: "Compaction undone",
  clear: "Window cleared",
  checkpoint: "Checkpoint",
  backtrack: "Backtrack",
  alert: "Alert",
  decision: "Decision",
  fork: "Fork",
  end: "Session ended",
};

/** A mark in words. */
export function said(mark: TimelineMarkDocument): string {
  const name = NAMES[mark.kind] ?? mark.kind;
  if (!mark.note) return name;
  if (mark.kind === "backtrack") return `Backtrack to ${mark.note}`;
  if (mark.kind === "checkpoint") return `Checkpoint “${mark.note.replaceAll("_", " ")}”`;
  return `${name}: ${mark.note.replaceAll("_", " ")}`;
}

/** The next mark after a version, or the last one before it. */
export function nextMark(marks: TimelineMarkDocument[], from: number, direction: 1 | -1): number | undefined {
  const versions = marks.map((mark) => mark.version);
  return direction > 0 ? versions.find((version) => version > from) : versions.findLast((version) => version < from);
}
