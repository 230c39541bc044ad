import { pathTo, type Branch } from "../timeline/branches";

/** The newest version that leads to both; 0 if there is none. */
export function commonStart(branches: Branch[], a: number, b: number): number {
  const other = pathTo(branches, b);
  let found = 0;
  for (const mine of pathTo(branches, a)) {
    for (const range of other) {
      const last = Math.min(mine.last, range.last);
      if (last >= Math.max(mine.first, range.first)) found = Math.max(found, last);
    }
  }
  return found;
}
