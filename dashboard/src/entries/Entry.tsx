/** One event of the conversation: its version, where it stands, and what it says. */
import { memo } from "react";
import { setParams } from "../address/address";
import { asCurl, ofSession } from "../api/client";
import type { RecordedCompactionDocument, EventDocument } from "../api/schema";
import { asMarkdown } from "../events/words";
import { Copy } from "../parts/Copy";
import type { Standing, Standings } from "../session/standing";
import { DecisionCard } from "./DecisionCard";
import { MessageEntry } from "./MessageEntry";
import { NoteEntry } from "./NoteEntry";
import { SummaryCard } from "./SummaryCard";
import { ToolCard } from "./ToolCard";
import "./Entry.css";

export interface EntryProps {
  session: string;
  event: EventDocument;
  /** The results of its tool calls. */
  results?: EventDocument[];
  standing: Standings;
  compaction?: RecordedCompactionDocument;
  chosen: boolean;
  /** The version that the page stands at. */
  now: number;
  past: boolean;
}

export const Entry = memo(function Entry(props: EntryProps) {
  const { session, event, standing, chosen } = props;
  const { version } = event;
  const brings = event.effects.brings !== undefined;
  const where: Standing | "event" = brings ? standing.of(version) : "event";
  return (
    <li id={`v${version}`} className={`entry ${where}${chosen ? " chosen" : ""}`}>
      <button className="version" title="Stand at this version" onClick={() => setParams({ v: version })}>
        v{version}
      </button>
      <i className={`rail ${where}`} title={WORDS[where]} />
      <div className="body">
        <Body {...props} where={where} />
        <span className="actions">
          <Copy
            label={`Copy version ${version}`}
            choices={[
              { name: "Markdown", text: () => asMarkdown(event) },
              { name: "JSON", text: () => JSON.stringify(event, null, 2) },
              { name: "curl", text: () => asCurl(ofSession(session, "/events"), { version }) },
              { name: "Link", text: () => `${location.origin}/sessions/${session}?v=${version}` },
            ]}
          />
        </span>
      </div>
    </li>
  );
});

const WORDS: Record<Standing | "event", string> = {
  prompt: "In the prompt",
  stubbed: "In the prompt, its result as a stub",
  summarized: "Taken out, a summary stands for it",
  stored: "Stored, not in the window",
  event: "An event, no item",
};

function Body(props: EntryProps & { where: Standing | "event" }) {
  switch (props.event.type) {
    case "message.added":
      return <MessageEntry {...props} />;
    case "tool.called":
      return <ToolCard {...props} />;
    case "decision.recorded":
      return <DecisionCard {...props} />;
    case "items.compacted":
    case "summary.made":
      return <SummaryCard {...props} />;
    default:
      return <NoteEntry {...props} />;
  }
}
