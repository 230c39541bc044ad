/** Branches of a session as ranges of versions. */
import type { LogBranchDocument } from "../api/schema";

export type Branch = Pick<LogBranchDocument, "first" | "last" | "follows" | "live">;

/** Versions from the first to the last, both included. */
export interface Range {
  first: number;
  last: number;
}

/** The versions that lead to one, oldest first. What is newer than the branches that were read goes on the last one. */
export function pathTo(branches: Branch[], version: number): Range[] {
  const path: Range[] = [];
  let last: number | null = version;
  while (last !== null) {
    const at: number = last;
    const newest = branches.at(-1);
    const run = newest && at > newest.last ? newest : branches.find((branch) => branch.first <= at && at <= branch.last);
    if (!run) return path.length ? path : [{ first: 1, last: version }];
    path.unshift({ first: run.first, last: at });
    last = run.follows;
  }
  return path;
}

export function includes(path: Range[], version: number): boolean {
  return path.some((range) => range.first <= version && version <= range.last);
}

/** A run of versions that does not lead to the newest one. */
export interface Abandoned extends Range {
  /** The version that it continues from, or null where nothing comes before. */
  base: number | null;
  /** The version of the backtrack that left it. */
  left: number;
}

/** What was left by backtracks. Read-only: the log keeps it. */
export function abandoned(branches: Branch[]): Abandoned[] {
  return branches.flatMap((branch) => {
    const first = branch.live === null ? branch.first : branch.live + 1;
    if (first > branch.last) return [];
    return [{ first, last: branch.last, base: branch.live ?? branch.follows, left: branch.last + 1 }];
  });
}

/** The abandoned run that a version is in, or undefined. */
export function runOf(runs: Abandoned[], version: number): Abandoned | undefined {
  return runs.find((run) => run.first <= version && version <= run.last);
}
