/** The sections of a prompt: their colours, their names in plain words, and the reasons for which items are left out. */
import type { PromptPieceDocument, SectionDocument } from "../api/schema";

const COLOURS: Record<string, string> = {
  system: "system",
  rules: "rules",
  pins: "rules",
  summary: "summary",
  task: "state",
  role: "state",
  state: "state",
  entities: "state",
  history: "history",
  older: "older",
  earlier: "older",
  memory: "memories",
};

export const colourOf = (section: string): string => {
  const colour = COLOURS[section];
  return colour ? `var(--p-${colour})` : "var(--fixed)";
};

/** Texts tell role and pins together with other sections. */
const TOLD_WITH: Record<string, string> = { role: "state", pins: "rules" };
export const placeOfSection = (section: string): string => TOLD_WITH[section] ?? section;

const REASONS: Record<string, string> = {
  older: "no room for older ones",
  not_current: "done, answered or replaced",
  open_call: "still waiting for a result",
  erased: "erased",
  said_elsewhere: "said elsewhere in the prompt",
  unimportant: "of little importance",
  state_over_share: "over the share of the state",
  pins_over_share: "over the share of pins",
  summary_over_share: "over the share of the summary",
  files_over_share: "files over their share",
};

export const reasonText = (reason: string): string => REASONS[reason] ?? reason.replaceAll("_", " ");

export interface Block {
  section: string;
  tokens: number | null;
  pieces: PromptPieceDocument[];
}

/** Pieces in the order of the prompt, together as far as they are of one section. */
export function blocksOf(pieces: PromptPieceDocument[], sections: SectionDocument[]): Block[] {
  const tokens = new Map<string, number>();
  for (const section of sections) {
    const place = placeOfSection(section.name);
    tokens.set(place, (tokens.get(place) ?? 0) + section.tokens);
  }
  const blocks: Block[] = [];
  for (const piece of pieces) {
    const last = blocks.at(-1);
    if (last?.section === piece.section) last.pieces.push(piece);
    else blocks.push({ section: piece.section, tokens: tokens.get(piece.section) ?? null, pieces: [piece] });
  }
  return blocks;
}
