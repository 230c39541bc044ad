import { Link } from "../address/Link";
import { withParams } from "../address/address";
import type { ShownSessionDocument, TimelineDocument } from "../api/schema";
import { clock, count } from "../parts/format";
import { Icon, type IconName } from "../parts/Icon";
import type { Cursor } from "../session/cursor";
import { VIEWS } from "../session/views";
import type { Kind } from "./marks";
import { columnAt } from "./scale";
import type { Play } from "./play";

type Action = "first" | "previous" | "next" | "last" | "play" | "pin" | "zoomIn" | "zoomOut" | "fit" | "times" | "list";

interface Props {
  session: ShownSessionDocument;
  cursor: Cursor;
  timeline: TimelineDocument | undefined;
  counts: Partial<Record<Kind, number>>;
  hidden: ReadonlySet<Kind>;
  toggle: (kind: Kind) => void;
  times: boolean;
  actions: Record<Action, () => void>;
  play: Play;
  mini: boolean;
  note?: string;
}

const KINDS: { kind: Kind; name: string }[] = [
  { kind: "compaction", name: "Compactions" },
  { kind: "checkpoint", name: "Checkpoints" },
  { kind: "backtrack", name: "Backtracks" },
  { kind: "alert", name: "Alerts" },
  { kind: "decision", name: "Decisions" },
];

/** The bar above the chart: steps, play, the version, which marks are drawn, zoom. */
export function Controls({ session, cursor, timeline, counts, hidden, toggle, times, actions, play, mini, note }: Props) {
  const at = timeline && columnAt(timeline.columns, cursor.at)?.at;
  return (
    <div className="timeline-bar">
      <span className="steps" role="group" aria-label="Move the cursor">
        <Step icon="first" name="First version (Home)" act={actions.first} optional />
        <Step icon="previous" name="One version back (←)" act={actions.previous} />
        <button className="button compact only-icon" aria-label={play.playing ? "Stop (Space)" : "Play (Space)"} title={play.playing ? "Stop (Space)" : "Play (Space)"} onClick={actions.play}>
          <Icon name={play.playing ? "stop" : "play"} small />
        </button>
        <Step icon="next" name="One version on (→)" act={actions.next} />
        <Step icon="last" name="Now (End)" act={actions.last} optional />
      </span>
      <span className="at-version">
        <b>{count(cursor.at)}</b> <span>of {count(cursor.newest)}</span>
      </span>
      {at !== undefined && <span className="hide-small">{clock(at)}</span>}
      {play.playing && (
        <span className="segments" role="group" aria-label="Speed">
          {play.speeds.map((speed, index) => (
            <button key={speed} aria-pressed={speed === play.speed} title={`${speed} versions per second (${index + 1})`} onClick={() => play.setSpeed(speed)}>
              {speed}×
            </button>
          ))}
        </span>
      )}
      {mini ? (
        <span className="text-3 hide-small cut grow">{note}</span>
      ) : (
        <>
          <span className="separator hide-small" />
          <span className="kinds hide-small grow" role="group" aria-label="Marks">
            {KINDS.filter(({ kind }) => counts[kind]).map(({ kind, name }) => (
              <button key={kind} className="kind" aria-pressed={!hidden.has(kind)} title={`Show or hide: ${name}`} onClick={() => toggle(kind)}>
                <Sign kind={kind} />
                {name} <i>{counts[kind]}</i>
              </button>
            ))}
            {session.model_calls > 0 && (
              <span className="kind">
                Calls <i>{count(session.model_calls)}</i>
              </span>
            )}
          </span>
          <span className="grow small-only" />
          <span className="hint">
            <kbd>←</kbd> <kbd>→</kbd> step
          </span>
          <span className="hint">
            <kbd>Space</kbd> play
          </span>
          <Compare session={session} cursor={cursor} pin={actions.pin} />
          <span className="segments hide-small" role="group" aria-label="Axis">
            <button aria-pressed={!times} onClick={() => times && actions.times()}>
              Version
            </button>
            <button aria-pressed={times} onClick={() => times || actions.times()}>
              Time
            </button>
          </span>
          <span className="steps hide-small" role="group" aria-label="Zoom">
            <Step icon="minus" name="Zoom out (−)" act={actions.zoomOut} />
            <Step icon="plus" name="Zoom in (+)" act={actions.zoomIn} />
            <Step icon="fit" name="Whole session (0)" act={actions.fit} />
            <Step icon="more" name="List of marks (M)" act={actions.list} />
          </span>
        </>
      )}
    </div>
  );
}

function Compare({ session, cursor, pin }: { session: ShownSessionDocument; cursor: Cursor; pin: () => void }) {
  const compares = VIEWS.some((view) => view.path === "compare");
  if (cursor.pin === null || cursor.pin === cursor.at || !compares) {
    return (
      <button className="button compact hide-small" aria-pressed={cursor.pin !== null} onClick={pin}>
        <Icon name="pin" small />
        {cursor.pin === cursor.at ? "Unpin" : "Pin to compare"} <kbd>P</kbd>
      </button>
    );
  }
  return (
    <Link className="button compact hide-small" to={withParams(`/sessions/${session.session}/compare`, { v: cursor.at, pin: cursor.pin })}>
      <Icon name="compare" small />
      Compare {count(cursor.pin)} ↔ {count(cursor.at)} <kbd>C</kbd>
    </Link>
  );
}

function Step({ icon, name, act, optional }: { icon: IconName; name: string; act: () => void; optional?: boolean }) {
  return (
    <button className={optional ? "button quiet compact only-icon hide-small" : "button quiet compact only-icon"} aria-label={name} title={name} onClick={act}>
      <Icon name={icon} small />
    </button>
  );
}

/** The shape that a kind has in the chart. */
function Sign({ kind }: { kind: Kind }) {
  return (
    <svg className={`sign mark ${kind}`} viewBox="-8 -8 16 16" aria-hidden="true">
      {kind === "compaction" && <path d="M-5 -6h10l-5 5.4zM-5 6h10l-5-5.4z" />}
      {kind === "checkpoint" && <path d="M-4 -6.5h8v12l-4-3.4-4 3.4z" />}
      {kind === "backtrack" && (
        <>
          <circle r="6" />
          <path d="M2.8 0h-5m2-2.2l-2.3 2.2 2.3 2.2" />
        </>
      )}
      {kind === "alert" && <path d="M0 -5l5.500 10h-11z" />}
      {kind === "decision" && <path d="M0 -5l5 5-5 5-5-5z" />}
    </svg>
  );
}
