/** The timeline of a session: moving its cursor moves the whole page. */
import { useEffect, useMemo, useRef, useState } from "react";
import { useKeys } from "../address/keys";
import { useBranches, useDetail, useTimeline } from "../api/timeline";
import type { ShownSessionDocument } from "../api/schema";
import { Loaded } from "../parts/States";
import type { Cursor } from "../session/cursor";
import { Chart } from "./Chart";
import { Controls } from "./Controls";
import { MarkList } from "./MarkList";
import { kindOf, nextMark, type Kind } from "./marks";
import { usePlay } from "./play";
import { grown, showing, whole, zoom, type View } from "./scale";
import "./Timeline.css";

interface Props {
  session: ShownSessionDocument;
  cursor: Cursor;
  window?: string;
  /** Without lanes, calls and overview, for views that have their own subject. */
  mini?: boolean;
  /** What the small one says about the cursor. */
  note?: string;
  /** A mark that the view is about. */
  selected?: number;
}

const ALL_KINDS: Kind[] = ["compaction", "checkpoint", "backtrack", "alert", "decision", "fork", "end"];
/** Decisions are drawn where versions are this far apart, in pixels. */
const ROOM_FOR_DECISIONS = 3;

export function Timeline({ session, cursor, window = "main", mini = false, note, selected }: Props) {
  const timeline = useTimeline(session.session, window);
  const branches = useBranches(session.session);
  const { newest } = cursor;
  const [view, setView] = useState<View>(() => whole(newest));
  const [hidden, setHidden] = useState<ReadonlySet<Kind>>(new Set());
  const [times, setTimes] = useState(false);
  const [listed, setListed] = useState(false);
  const play = usePlay(cursor);
  const span = view.to - view.from;
  const coarse = (timeline.data?.step ?? 1) > 1;
  const detail = useDetail(session.session, window, view.from, view.to, newest, coarse && span < newest - 1);

  const before = useRef(newest);
  useEffect(() => {
    const known = before.current;
    before.current = newest;
    setView((now) => grown(now, known, newest));
  }, [newest]);
  // A cursor that is moved out of sight takes the view with it.
  useEffect(() => setView((now) => showing(now, cursor.at, newest)), [cursor.at, newest]);

  const marks = timeline.data?.marks ?? [];
  const counts = useMemo(() => {
    const found: Partial<Record<Kind, number>> = {};
    for (const mark of timeline.data?.marks ?? []) found[kindOf(mark)] = (found[kindOf(mark)] ?? 0) + 1;
    return found;
  }, [timeline.data]);
  const shown = useMemo(
    () => new Set(ALL_KINDS.filter((kind) => !hidden.has(kind) && (kind !== "decision" || (counts.decision ?? 0) < 40 || 1400 / span > ROOM_FOR_DECISIONS))),
    [hidden, counts, span],
  );

  const actions = {
    first: () => cursor.move(1),
    previous: () => cursor.move(cursor.at - 1),
    next: () => cursor.move(cursor.at + 1),
    last: cursor.toNow,
    play: play.toggle,
    pin: () => cursor.movePin(cursor.pin === cursor.at ? null : cursor.at),
    zoomIn: () => setView(zoom(view, 0.5, cursor.at, newest)),
    zoomOut: () => setView(zoom(view, 2, cursor.at, newest)),
    fit: () => setView(whole(newest)),
    times: () => setTimes(!times),
    list: () => setListed(!listed),
  };
  const jump = (direction: 1 | -1) => cursor.move(nextMark(marks, cursor.at, direction) ?? (direction > 0 ? newest : 1));
  useKeys({
    ArrowLeft: actions.previous,
    ArrowRight: actions.next,
    "Shift+ArrowLeft": () => jump(-1),
    "Shift+ArrowRight": () => jump(1),
    Home: actions.first,
    End: actions.last,
    " ": actions.play,
    p: actions.pin,
    "+": actions.zoomIn,
    "=": actions.zoomIn,
    "-": actions.zoomOut,
    "0": actions.fit,
    t: actions.times,
    m: actions.list,
    x: () => {
      if (cursor.pin === null) return;
      const to = cursor.pin;
      cursor.movePin(cursor.at);
      cursor.move(to);
    },
    ...Object.fromEntries(play.speeds.map((speed, index) => [String(index + 1), () => play.setSpeed(speed)])),
  });

  return (
    <section className={mini ? "timeline mini" : "timeline"} aria-label="Timeline">
      <Controls
        session={session}
        cursor={cursor}
        timeline={timeline.data}
        counts={counts}
        hidden={hidden}
        toggle={(kind) => setHidden(toggled(hidden, kind))}
        times={times}
        actions={actions}
        play={play}
        mini={mini}
        note={note}
      />
      <Loaded of={timeline} what="The timeline" rows={3}>
        {(found) => (
          <Chart
            overview={found}
            detail={coarse && detail.data && span < newest - 1 ? detail.data : found}
            branches={branches.data ?? []}
            forks={session.forks}
            cursor={cursor}
            view={view}
            setView={setView}
            shown={shown}
            times={times}
            mini={mini}
            selected={selected}
          />
        )}
      </Loaded>
      {listed && <MarkList marks={marks} cursor={cursor} close={() => setListed(false)} />}
    </section>
  );
}

function toggled(kinds: ReadonlySet<Kind>, kind: Kind): ReadonlySet<Kind> {
  const next = new Set(kinds);
  if (!next.delete(kind)) next.add(kind);
  return next;
}
