/** The conversation up to a version, with what is in the prompt, what was summarized and what is only stored. Chunks of
 * versions are the rows of a virtual list: only those in sight are read and exist. */
import { useQueryClient } from "@tanstack/react-query";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { setParams, useAddress, withParams } from "../address/address";
import { Link } from "../address/Link";
import { CHUNK, chunkOf, prefetchChunk, useChunks } from "../api/events";
import type { RecordedCompactionDocument, EventDocument, ShownSessionDocument } from "../api/schema";
import { Entry } from "../entries/Entry";
import { isShown } from "../entries/shown";
import { count } from "../parts/format";
import { Icon } from "../parts/Icon";
import { Problem } from "../parts/States";
import { includes, type Range } from "../timeline/branches";
import { NextEvent } from "./NextEvent";
import type { Standings } from "./standing";
import { VIEWS } from "./views";
import "./Conversation.css";

interface Props {
  session: ShownSessionDocument;
  version: number;
  newest: number;
  past: boolean;
  /** The versions that lead to this one. */
  path: Range[];
  standing: Standings;
  chosen: number | null;
  compactions: RecordedCompactionDocument[];
}

/** Pixels from the end within which the list follows what comes. */
const AT_END = 40;
const ESTIMATE = 1800;

export function Conversation({ session, version, newest, past, path, standing, chosen, compactions }: Props) {
  const { params } = useAddress();
  const queries = useQueryClient();
  const all = params.get("events") === "all";
  const scroller = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const chunks = useMemo(() => chunksOf(path), [path]);
  const index = useMemo(() => new Map(chunks.map((chunk, place) => [chunk, place])), [chunks]);

  const virtual = useVirtualizer({
    count: chunks.length,
    getItemKey: (place) => chunks[place] ?? place,
    getScrollElement: () => scroller.current,
    estimateSize: () => ESTIMATE,
    overscan: 0,
    initialOffset: Number.MAX_SAFE_INTEGER,
  });
  // A chunk above that finds its height moves what is below it, and the list makes up for that. What is added at the
  // end moves nothing.
  virtual.shouldAdjustScrollPositionOnItemSizeChange = (row, _, list) => row.index < chunks.length - 1 && row.start < (list.scrollOffset ?? 0);
  const rows = virtual.getVirtualItems();
  const seen = rows.map((row) => chunks[row.index]!);
  // The results of a chunk's last calls may be in the next chunk, so that is read as well.
  const wanted = [...new Set(seen.flatMap((chunk) => [chunk, chunks[(index.get(chunk) ?? 0) + 1] ?? chunk]))];
  const loaded = useChunks(session.session, wanted, newest);
  const events = new Map(wanted.map((chunk, place) => [chunk, loaded[place]?.data]));
  const failed = loaded.find((one) => one.error && !one.data);
  const results = useMemo(() => resultsOf([...events.values()].flatMap((chunk) => chunk ?? []), version), [loaded, version]);

  useEffect(() => {
    const before = seen[0] === undefined ? undefined : chunks[(index.get(seen[0]) ?? 0) - 1];
    if (before !== undefined) prefetchChunk(queries, session.session, before, newest);
  }, [queries, session.session, seen[0], newest]);

  // At the end, stay there: while rows find their height, and when something comes. The list draws itself before this
  // component hears of a scroll, so whether the reader has left the end is seen from where the list was.
  const size = virtual.getTotalSize();
  const top = useRef(0);
  const keepEnd = () => {
    const element = scroller.current;
    if (!element || !atEnd.current) return;
    if (element.scrollTop < top.current - 2 && below(element) > AT_END) {
      atEnd.current = false;
      return;
    }
    element.scrollTop = element.scrollHeight;
    top.current = element.scrollTop;
  };
  useLayoutEffect(keepEnd, [size, version]);

  const [read, setRead] = useState(version);
  const unread = past ? 0 : Math.max(0, version - read);
  useEffect(() => {
    if (atEnd.current || past || version < read) setRead(version);
  }, [version, past, read]);
  // A version of the past is read at its end, whatever was read before.
  const stood = useRef(version);
  useLayoutEffect(() => {
    if (past && stood.current !== version) {
      atEnd.current = true;
      top.current = 0;
      keepEnd();
    }
    stood.current = version;
  }, [version, past]);

  // An item that was chosen elsewhere is brought into sight.
  useEffect(() => {
    if (chosen === null) return;
    const place = index.get(chunkOf(chosen));
    if (place === undefined) return;
    const element = document.getElementById(`v${chosen}`);
    if (element) {
      // Newer browsers answer with a promise, which is no clean-up of an effect.
      void element.scrollIntoView({ block: "center" });
      return;
    }
    atEnd.current = false;
    virtual.scrollToIndex(place, { align: "start" });
    const timer = setTimeout(() => document.getElementById(`v${chosen}`)?.scrollIntoView({ block: "center" }), 400);
    return () => clearTimeout(timer);
  }, [chosen]);

  function scrolled() {
    const element = scroller.current!;
    atEnd.current = below(element) < AT_END;
    top.current = element.scrollTop;
    if (atEnd.current) setRead(version);
  }
  function toEnd() {
    atEnd.current = true;
    top.current = 0;
    keepEnd();
    setRead(version);
  }

  const prompts = VIEWS.some((view) => view.path === "prompts");
  return (
    <section className="conversation" aria-label="Conversation">
      <div className="conversation-bar" role="group" aria-label="Entries in numbers" tabIndex={0}>
        <Legend standing="prompt" name="In prompt" total={standing.counts.prompt} />
        <Legend standing="stubbed" name="Stubbed" total={standing.counts.stubbed} />
        <Legend standing="summarized" name="Summarized" total={standing.counts.summarized} />
        <Legend standing="stored" name="Stored" />
        <span className="grow" />
        <button className="chip hide-small" aria-pressed={all} title="Also show events that are not part of the conversation" onClick={() => setParams({ events: all ? null : "all" }, { replace: true })}>
          All events
        </button>
        {prompts && session.model_calls > 0 && (
          <Link className="button quiet hide-medium" to={withParams(`/sessions/${session.session}/prompts`, { v: past ? version : null })}>
            See the exact prompt <Icon name="right" small />
          </Link>
        )}
      </div>
      <div className="feed scroll" ref={scroller} onScroll={scrolled} tabIndex={0} role="region" aria-label="Entries">
        {failed && <Problem title="Some of the conversation could not be read." error={failed.error} retry={() => void failed.refetch()} />}
        <div className="chunks" style={{ height: size }}>
          {rows.map((row) => {
            const chunk = chunks[row.index]!;
            const shown = events.get(chunk)?.filter((event) => event.version <= version && includes(path, event.version) && (all || isShown(event)));
            return (
              <ol key={row.key} data-index={row.index} ref={virtual.measureElement} style={{ transform: `translateY(${row.start}px)` }}>
                {shown === undefined && <li className="unread-chunk" aria-label={`Loading versions ${chunk * CHUNK + 1} to ${(chunk + 1) * CHUNK}`} />}
                {shown?.map((event) => (
                  <Entry
                    key={event.version}
                    session={session.session}
                    event={event}
                    results={results.get(event.version)}
                    standing={standing}
                    compaction={compactions.find((one) => one.version === event.version)}
                    chosen={event.version === chosen}
                    now={version}
                    past={past}
                  />
                ))}
                {past && row.index === chunks.length - 1 && shown !== undefined && (
                  <li>
                    <p className="edge">Version {count(version)} ends here</p>
                    <NextEvent session={session.session} version={version} />
                  </li>
                )}
              </ol>
            );
          })}
        </div>
      </div>
      {unread > 0 && (
        <button className="new-pill" onClick={toEnd}>
          <Icon name="arrow-down" small /> {count(unread)} new
        </button>
      )}
    </section>
  );
}

/** The pixels of a list below what is in sight. */
const below = (element: HTMLElement): number => element.scrollHeight - element.scrollTop - element.clientHeight;

function Legend({ standing, name, total }: { standing: string; name: string; total?: number }) {
  return (
    <span className="legend">
      <i className={`rail ${standing}`} />
      {name} {total !== undefined && <b>{count(total)}</b>}
    </span>
  );
}

function chunksOf(path: Range[]): number[] {
  const found: number[] = [];
  for (const range of path) {
    for (let chunk = chunkOf(range.first); chunk <= chunkOf(range.last); chunk += 1) if (found.at(-1) !== chunk) found.push(chunk);
  }
  return found;
}

/** The results of tool calls by the item that they belong to. */
function resultsOf(events: EventDocument[], upto: number): Map<number, EventDocument[]> {
  const found = new Map<number, EventDocument[]>();
  for (const event of events) {
    const exchange = event.type === "tool.answered" ? (event.payload as { exchange?: number }).exchange : undefined;
    if (exchange === undefined || event.version > upto) continue;
    found.set(exchange, [...(found.get(exchange) ?? []), event]);
  }
  return found;
}
