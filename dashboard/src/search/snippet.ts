/** A snippet as runs of text, the words that match marked. */
export interface Run {
  text: string;
  marked: boolean;
}

/** Marks are places of characters as Python counts them: those outside the basic plane count once. */
export function runsOf(snippet: string, marks: [number, number][]): Run[] {
  const characters = [...snippet];
  const runs: Run[] = [];
  let at = 0;
  for (const [from, to] of [...marks].sort(([a], [b]) => a - b)) {
    const start = Math.max(at, from);
    if (to <= start) continue;
    if (start > at) runs.push({ text: characters.slice(at, start).join(""), marked: false });
    runs.push({ text: characters.slice(start, to).join(""), marked: true });
    at = to;
  }
  if (at < characters.length) runs.push({ text: characters.slice(at).join(""), marked: false });
  return runs;
}

/** The version in "120", "v120" or "V 120"; null for a text. */
export function versionIn(text: string): number | null {
  const found = /^\s*v?\s*(\d{1,15})\s*$/i.exec(text);
  return found && Number(found[1]) > 0 ? Number(found[1]) : null;
}
