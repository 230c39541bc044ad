import { useState } from "react";
import type { PromptPieceDocument } from "../api/schema";
import { VersionLink } from "../parts/VersionLink";
import { count } from "../parts/format";
import { speechOf, type Said } from "./messages";

const LONG = 3000;

interface Props {
  session: string;
  piece: PromptPieceDocument;
  /** Whether the previous prompt does not have it. */
  fresh: boolean;
}

/** One text or message of a prompt. */
export function PieceText({ session, piece, fresh }: Props) {
  const speech = piece.message ? speechOf(piece.message) : { who: "", said: [{ kind: "text", text: piece.text ?? "" } as Said] };
  return (
    <div className={fresh ? "piece fresh" : "piece"}>
      {piece.message && (
        <span className="who">
          {speech.who} {piece.item !== null && <VersionLink session={session} version={piece.item} />}
        </span>
      )}
      {fresh && <span className="for-readers">new</span>}
      <div className="said">
        {speech.said.map((said, place) => (
          <Text key={place} said={said} />
        ))}
      </div>
    </div>
  );
}

function Text({ said }: { said: Said }) {
  const [whole, setWhole] = useState(false);
  const cut = !whole && said.text.length > LONG;
  return (
    <pre className={said.kind}>
      {cut ? said.text.slice(0, LONG) : said.text}
      {cut && (
        <button className="more" onClick={() => setWhole(true)}>
          Show all {count(said.text.length)} characters
        </button>
      )}
    </pre>
  );
}
