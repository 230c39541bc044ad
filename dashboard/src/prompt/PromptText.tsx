import { count } from "../parts/format";
import { PieceText } from "./PieceText";
import { colourOf, placeOfSection, type Block } from "./sections";
import "./PromptText.css";

interface Props {
  session: string;
  blocks: Block[];
  /** The places of the pieces that the previous prompt does not have. */
  fresh: Set<number>;
  marked: string | null;
  onMark: (section: string | null) => void;
}

/** A prompt, each part in its colour. */
export function PromptText({ session, blocks, fresh, marked, onMark }: Props) {
  let place = 0;
  return (
    <div className="prompt-text">
      {blocks.map((block, row) => {
        const first = place;
        place += block.pieces.length;
        const isMarked = marked !== null && placeOfSection(marked) === block.section;
        return (
          <section
            key={row}
            id={`part-${block.section}`}
            aria-label={block.section}
            className={isMarked ? "part marked" : "part"}
            style={{ "--c": colourOf(block.section) } as React.CSSProperties}
            onMouseEnter={() => onMark(block.section)}
            onMouseLeave={() => onMark(null)}
          >
            <span className="name">
              {block.section}
              {block.tokens !== null && <small>{count(block.tokens)}</small>}
            </span>
            <i />
            <div className="pieces">
              {block.pieces.map((piece, offset) => (
                <PieceText key={offset} session={session} piece={piece} fresh={fresh.has(first + offset)} />
              ))}
            </div>
          </section>
        );
      })}
    </div>
  );
}
