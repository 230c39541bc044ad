/** One session: its tabs, the view that the address names, and the timeline below, whatever the view. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { go, withParams } from "../address/address";
import { useKeys } from "../address/keys";
import { Link } from "../address/Link";
import { useLive } from "../api/live";
import { useSession } from "../api/sessions";
import type { ShownSessionDocument } from "../api/schema";
import { Problem, Skeleton } from "../parts/States";
import { NotFound } from "../shell/NotFound";
import { TopBar } from "../shell/TopBar";
import { Timeline } from "../timeline/Timeline";
import { useCursor } from "./cursor";
import { SubBar } from "./SubBar";
import { VIEWS } from "./views";

interface Props {
  session: string;
  rest: string[];
}

export function SessionPage({ session, rest }: Props) {
  const shown = useSession(session);
  useUpdates(session);
  const title = shown.data?.title ?? "A session without a title";
  useEffect(() => {
    document.title = `${title} · Backstory`;
    return () => void (document.title = "Backstory");
  }, [title]);
  return (
    <>
      <TopBar>
        <nav className="crumbs grow" aria-label="Path">
          <Link className="hide-small" to="/">
            Sessions
          </Link>
          {shown.data?.project && (
            <>
              <span className="hide-small">/</span>
              <Link className="hide-small" to={withParams("/", { project: shown.data.project })}>
                {shown.data.project}
              </Link>
            </>
          )}
          <span className="hide-small">/</span>
          <h1 className="cut">{shown.data ? title : "…"}</h1>
          {shown.data && <Activity session={shown.data} />}
        </nav>
      </TopBar>
      {shown.data ? (
        <Shown session={shown.data} rest={rest} />
      ) : shown.error ? (
        <main className="whole">
          <Problem title="The session could not be read." error={shown.error} retry={() => void shown.refetch()} />
        </main>
      ) : (
        <Skeleton rows={12} />
      )}
    </>
  );
}

function Shown({ session, rest: [path = "", ...rest] }: { session: ShownSessionDocument; rest: string[] }) {
  const cursor = useCursor(session.version);
  const view = VIEWS.find((one) => one.path === path);
  const comparable = VIEWS.some((one) => one.path === "compare");
  useKeys({
    c: () => {
      if (comparable && cursor.pin !== null) go(withParams(`/sessions/${session.session}/compare`, { v: cursor.at, pin: cursor.pin }));
    },
  });
  if (!view) return <NotFound />;
  return (
    <>
      <SubBar session={session} current={path} cursor={cursor} />
      <view.component session={session} version={cursor.version} past={cursor.past} cursor={cursor} rest={rest} />
      <Timeline session={session} cursor={cursor} mini={view.path !== ""} note={view.timelineNote} />
    </>
  );
}

function Activity({ session }: { session: ShownSessionDocument }) {
  const live = session.status === "open" && Date.now() - new Date(session.last_activity).getTime() < LIVELY;
  return live ? (
    <span className="live-mark">
      <i className="dot on" />
      live
    </span>
  ) : (
    <span className="tag hide-small">{session.status === "open" ? "idle" : session.status}</span>
  );
}

/** Milliseconds after its last event in which a session counts as live. */
export const LIVELY = 5 * 60_000;
/** Milliseconds between two reads of a session in which much happens. */
const CALM = 400;

/** Reads a session again when something was recorded in it, but not more often than one can see. */
function useUpdates(session: string): void {
  const queries = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const slow = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      clearTimeout(slow.current);
    },
    [session],
  );
  useLive({ subscribe: "events", session }, (message) => {
    if (message.type !== "event" && message.type !== "subscribed") return;
    const known = queries.getQueryData<ShownSessionDocument>(["session", session]);
    if (message.type === "subscribed" && known && (message.after ?? 0) <= known.version) return;
    const type = message.event?.type ?? "";
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      void queries.invalidateQueries({ queryKey: ["session", session] });
    }, CALM);
    // Charts and lists change less than the eye believes.
    slow.current ??= setTimeout(() => {
      slow.current = undefined;
      void queries.invalidateQueries({ queryKey: ["timeline", session] });
    }, CALM * 3);
    if (type === "session.backtracked" || type === "session.forked" || message.type === "subscribed") void queries.invalidateQueries({ queryKey: ["branches", session] });
    if (type.startsWith("items.") || type.startsWith("compaction.")) void queries.invalidateQueries({ queryKey: ["compactions", session] });
  });
}

