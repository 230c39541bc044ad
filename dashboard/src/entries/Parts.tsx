/** The parts of a message: text as markdown, thinking folded, images of this session, documents by name. */
import { useState } from "react";
import { ofSession, addressOf } from "../api/client";
import { CUT, useEvents } from "../api/events";
import type { ContentDocument, EventDocument } from "../api/schema";
import { partsOf } from "../events/words";
import { count } from "../parts/format";
import { Markdown } from "../parts/Markdown";

interface Props {
  session: string;
  event: EventDocument;
  /** Kinds that are shown elsewhere, such as tool calls. */
  without?: string[];
}

/** Characters after which a text is folded. */
const FOLD = 1400;

export function Parts({ session, event, without = [] }: Props) {
  return partsOf(event)
    .filter((part) => !without.includes(part.kind))
    .map((part) => <Part key={part.field} session={session} event={event} part={part} />);
}

function Part({ session, event, part }: { session: string; event: EventDocument; part: ContentDocument }) {
  if (part.erased) return <p className="text-3">This text was erased. The record still proves that it was here.</p>;
  if (part.kind === "thinking") {
    return (
      <details className="thinking">
        <summary>Thinking, {count(part.size)} bytes</summary>
        <Foldable session={session} event={event} part={part} />
      </details>
    );
  }
  if (part.kind === "image") {
    const place = Number(part.field.split(".")[1] ?? 0);
    return <img alt={`From version ${event.version}`} loading="lazy" src={addressOf(ofSession(session, "/items/content"), { item: event.version, part: place })} />;
  }
  if (part.text === null) {
    return (
      <p className="text-3">
        {part.kind}, {part.media_type}, {count(part.size)} bytes
      </p>
    );
  }
  return <Foldable session={session} event={event} part={part} />;
}

interface FoldableProps {
  session: string;
  event: EventDocument;
  part: ContentDocument;
  /** The class of text that is no markdown. */
  plain?: string;
  /** Characters after which it is folded. */
  fold?: number;
}

/** A text that is folded when it is long, and read whole when it is opened. */
export function Foldable({ session, event, part, plain, fold = FOLD }: FoldableProps) {
  const [open, setOpen] = useState(false);
  const text = part.text ?? "";
  const isCut = text.length >= CUT;
  const whole = useEvents(session, open && isCut ? [event.version] : []);
  const long = text.length > fold;
  const all = whole.data?.[0]?.contents.find((content) => content.field === part.field)?.text ?? text;
  const shown = open ? all : long ? `${text.slice(0, fold)}…` : text;
  return (
    <>
      {plain === undefined ? <Markdown text={shown} /> : <pre className={plain}>{shown}</pre>}
      {long && (
        <button className="link rest" onClick={() => setOpen(!open)}>
          {open ? "Show less" : `Show all ${count(part.size)} bytes`}
        </button>
      )}
    </>
  );
}
