/** All sessions: which are there, and which need a look? */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { go, setParams, useAddress } from "../address/address";
import { useKeys } from "../address/keys";
import { useLive } from "../api/live";
import { useSessions } from "../api/sessions";
import type { ListedSessionDocument } from "../api/schema";
import { count, money } from "../parts/format";
import { Icon } from "../parts/Icon";
import { Empty, Loaded } from "../parts/States";
import { LIVELY } from "../session/SessionPage";
import { useHeldOrder } from "./order";
import { SessionRow } from "./SessionRow";
import "./SessionsPage.css";

type Look = "live" | "idle" | "ended" | "attention";
export type Sort = "activity" | "title" | "usage" | "tokens" | "cost";

const isLive = (session: ListedSessionDocument, now: number) => session.status === "open" && now - new Date(session.last_activity).getTime() < LIVELY;

const LOOKS: Record<Look, { name: string; of: (session: ListedSessionDocument, now: number) => boolean }> = {
  live: { name: "Live", of: isLive },
  idle: { name: "Idle", of: (session, now) => session.status === "open" && !isLive(session, now) },
  ended: { name: "Ended", of: (session) => session.status !== "open" },
  attention: { name: "Needs a look", of: (session) => session.status === "open" && session.zone !== "safe" },
};

const SORTS: Record<Sort, (a: ListedSessionDocument, b: ListedSessionDocument) => number> = {
  activity: () => 0,
  title: (a, b) => (a.title ?? "").localeCompare(b.title ?? ""),
  usage: (a, b) => (b.usage ?? -1) - (a.usage ?? -1),
  tokens: (a, b) => b.tokens - a.tokens,
  cost: (a, b) => b.cost_usd - a.cost_usd,
};

/** Milliseconds between two reads of the list while something happens. */
const CALM = 1500;

export function SessionsPage() {
  const { params } = useAddress();
  const queries = useQueryClient();
  const search = useRef<HTMLInputElement>(null);
  const [project, agent, tag] = [params.get("project"), params.get("agent"), params.get("tag")];
  const look = params.get("show") as Look | null;
  const sort = (params.get("sort") as Sort | null) ?? "activity";
  const words = params.get("q") ?? "";
  const sessions = useSessions({ project, tag, actor: agent });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useLive({ subscribe: "events" }, (message) => {
    if (message.type !== "event") return;
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      void queries.invalidateQueries({ queryKey: ["sessions"] });
    }, CALM);
  });

  const all = useMemo(() => sessions.data?.pages.flatMap((page) => page.sessions) ?? [], [sessions.data]);
  const { rows: held, fresh, renew } = useHeldOrder(all, (session) => session.session, `${project} ${agent} ${tag} ${sessions.data ? "" : "none"}`);
  const now = Date.now();
  const matching = held.filter((session) => matches(session, words));
  const shown = matching.filter((session) => !look || LOOKS[look].of(session, now)).sort(SORTS[sort]);

  const [at, setAt] = useState(0);
  const chosen = Math.min(at, Math.max(0, shown.length - 1));
  const move = (to: number) => {
    const next = Math.max(0, Math.min(shown.length - 1, to));
    setAt(next);
    document.getElementById(`row-${shown[next]?.session}`)?.scrollIntoView({ block: "nearest" });
  };
  useKeys({
    j: () => move(chosen + 1),
    k: () => move(chosen - 1),
    ArrowDown: () => move(chosen + 1),
    ArrowUp: () => move(chosen - 1),
    Enter: () => shown[chosen] && go(`/sessions/${shown[chosen].session}`),
    "/": () => search.current?.focus(),
  });

  const projects = useMemo(() => [...new Set(all.flatMap((session) => session.project ?? []))].sort(), [all]);
  const agents = useMemo(() => [...new Set(all.flatMap((session) => session.agents))].sort(), [all]);
  const tags = useMemo(() => [...new Set(all.flatMap((session) => session.tags))].sort(), [all]);
  const cost = matching.reduce((sum, session) => sum + session.cost_usd, 0);

  return (
    <main className="whole">
      <div className="width sessions-page">
        <h1 className="for-readers">Sessions</h1>
        <div className="filters">
          <form
            className="field search-field"
            role="search"
            onSubmit={(event) => {
              event.preventDefault();
              if (words) go(`/search?q=${encodeURIComponent(words)}`);
            }}
          >
            <Icon name="search" small />
            <input ref={search} value={words} placeholder="Title, project, agent, tag" aria-label="Filter sessions" onChange={(event) => setParams({ q: event.target.value }, { replace: true })} />
            <kbd>/</kbd>
          </form>
          <span className="row chips" role="group" aria-label="Which sessions">
            <button className="chip" aria-pressed={!look} onClick={() => setParams({ show: null })}>
              All <i>{count(matching.length)}</i>
            </button>
            {(Object.keys(LOOKS) as Look[]).map((name) => (
              <button key={name} className="chip" aria-pressed={look === name} onClick={() => setParams({ show: look === name ? null : name })}>
                {name === "live" && <i className="dot on" />}
                {name === "attention" && <Icon name="error" small />}
                {LOOKS[name].name} <i>{count(matching.filter((session) => LOOKS[name].of(session, now)).length)}</i>
              </button>
            ))}
          </span>
          <span className="separator hide-small" />
          <Choice name="Project" value={project} values={projects} choose={(to) => setParams({ project: to })} />
          <Choice name="Agent" value={agent} values={agents} choose={(to) => setParams({ agent: to })} />
          <Choice name="Tag" value={tag} values={tags} choose={(to) => setParams({ tag: to })} />
          <span className="grow" />
          {cost > 0 && (
            <span className="text-2 nowrap">
              <b>{money(cost)}</b> in these
            </span>
          )}
        </div>
        <Loaded of={sessions} what="The sessions" rows={12}>
          {() => (
            <>
              {fresh > 0 && (
                <button className="chip fresh" aria-live="polite" onClick={renew}>
                  <Icon name="arrow-down" small /> {count(fresh)} new
                </button>
              )}
              <div className="box table-box">
                {shown.length === 0 ? (
                  <Empty title={all.length ? "No session matches" : "No sessions yet"} command={all.length ? undefined : 'backstory sessions start --title "First session"'}>
                    {all.length ? "Other filters may show some." : "Every session that is recorded will show here."}
                  </Empty>
                ) : (
                  <table className="table sessions">
                    <thead>
                      <tr>
                        <th className="state">
                          <span className="for-readers">State</span>
                        </th>
                        <Head name="title" label="Session" sort={sort} />
                        <th className="hide-small">Project</th>
                        <th className="hide-small">Agents</th>
                        <th className="hide-medium">Window over time</th>
                        <Head name="usage" label="Window now" sort={sort} />
                        <Head name="tokens" label="Tokens" sort={sort} className="num hide-small" />
                        <Head name="cost" label="Cost" sort={sort} className="num hide-small" />
                        <Head name="activity" label="Last activity" sort={sort} />
                        <th className="hide-small">State</th>
                      </tr>
                    </thead>
                    <tbody>
                      {shown.map((session, place) => (
                        <SessionRow key={session.session} session={session} live={isLive(session, now)} chosen={place === chosen} />
                      ))}
                    </tbody>
                  </table>
                )}
              </div>
              <More hasMore={sessions.hasNextPage} busy={sessions.isFetchingNextPage} load={() => void sessions.fetchNextPage()} />
              <footer className="row text-2 foot">
                <span>
                  {count(shown.length)} of {count(all.length)}
                  {sessions.hasNextPage && " and more"}
                </span>
                <span className="grow" />
                <span className="hide-small">
                  <kbd>J</kbd> <kbd>K</kbd> move
                </span>
                <span className="hide-small">
                  <kbd>↵</kbd> open
                </span>
              </footer>
            </>
          )}
        </Loaded>
      </div>
    </main>
  );
}

function matches(session: ListedSessionDocument, words: string): boolean {
  if (!words) return true;
  const text = [session.title, session.project, session.session, ...session.agents, ...session.tags].join(" ").toLowerCase();
  return words.toLowerCase().split(/\s+/).every((word) => text.includes(word));
}

function Head({ name, label, sort, className }: { name: Sort; label: string; sort: Sort; className?: string }) {
  const chosen = sort === name;
  return (
    <th className={className} aria-sort={chosen ? (name === "title" ? "ascending" : "descending") : undefined}>
      <button onClick={() => setParams({ sort: name === "activity" ? null : name }, { replace: true })}>
        {label}
        {chosen && (name === "title" ? " ↑" : " ↓")}
      </button>
    </th>
  );
}

function Choice({ name, value, values, choose }: { name: string; value: string | null; values: string[]; choose: (value: string | null) => void }) {
  if (!value && values.length < 2) return null;
  return (
    <label className={value ? "chip chosen" : "chip"}>
      <select aria-label={name} value={value ?? ""} onChange={(event) => choose(event.target.value || null)}>
        <option value="">{name}</option>
        {[...new Set([...(value ? [value] : []), ...values])].map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
    </label>
  );
}

/** Reads on when the end of the list comes into sight. */
function More({ hasMore, busy, load }: { hasMore: boolean; busy: boolean; load: () => void }) {
  const element = useRef<HTMLButtonElement>(null);
  const newest = useRef(load);
  newest.current = load;
  useEffect(() => {
    if (!hasMore || !element.current) return;
    const watcher = new IntersectionObserver(([entry]) => entry?.isIntersecting && newest.current());
    watcher.observe(element.current);
    return () => watcher.disconnect();
  }, [hasMore]);
  if (!hasMore) return null;
  return (
    <button className="button more" ref={element} disabled={busy} onClick={load}>
      {busy ? "Reading…" : "Read on"}
    </button>
  );
}
