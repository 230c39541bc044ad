/** A prompt beside the one before it: which pieces are new, and how much of its beginning a provider's cache could reuse. */
import type { PromptPieceDocument, ReproductionDocument } from "../api/schema";

export interface Reuse {
  /** The places of pieces that the previous prompt does not have. */
  fresh: Set<number>;
  /** The number of pieces that only the previous prompt has. */
  gone: number;
  /** The share of the bytes up to the first difference. */
  share: number;
  /** About as many tokens. */
  tokens: number;
}

const keyOf = (piece: PromptPieceDocument) => JSON.stringify([piece.section, piece.text, piece.message]);

function commonPrefix(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let at = 0;
  while (at < most && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return at;
}

export function reuseOf(now: ReproductionDocument, before: ReproductionDocument): Reuse | null {
  if (now.prompt === null || before.prompt === null || !now.pieces || !before.pieces) return null;
  const left = new Map<string, number>();
  for (const piece of before.pieces) left.set(keyOf(piece), (left.get(keyOf(piece)) ?? 0) + 1);
  const fresh = new Set<number>();
  now.pieces.forEach((piece, place) => {
    const key = keyOf(piece);
    const known = left.get(key) ?? 0;
    if (known > 0) left.set(key, known - 1);
    else fresh.add(place);
  });
  const gone = [...left.values()].reduce((sum, count) => sum + count, 0);
  // A provider caches from the beginning, and the tools come first.
  const same = JSON.stringify(now.tools) === JSON.stringify(before.tools) && now.format === before.format;
  const share = same && now.prompt.length ? commonPrefix(now.prompt, before.prompt) / now.prompt.length : 0;
  return { fresh, gone, share, tokens: Math.round(share * (now.tokens ?? 0)) };
}
