/** What the agent keeps in mind at a version: the window, the conversation, the state. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { useAddress } from "../address/address";
import { useCompactions } from "../api/events";
import { prefetchState, useItemsAt, useStateAt } from "../api/sessions";
import { useBranches } from "../api/timeline";
import { count } from "../parts/format";
import { Problem, Skeleton } from "../parts/States";
import { pathTo } from "../timeline/branches";
import { ContextPanel } from "./ContextPanel";
import { Conversation } from "./Conversation";
import { ItemDetail } from "./ItemDetail";
import { PastBar } from "./PastBar";
import { standings } from "./standing";
import { openThings, StatePane } from "./StatePane";
import type { SessionViewProps } from "./views";
import "./WindowView.css";

type Pane = "context" | "conversation" | "state";
const NEIGHBOURS = [1, -1, 2];

export function WindowView({ session, version, past, cursor }: SessionViewProps) {
  const { params } = useAddress();
  const queries = useQueryClient();
  const [pane, setPane] = useState<Pane>("conversation");
  const window = params.get("window") ?? "main";
  const state = useStateAt(session.session, version);
  const branches = useBranches(session.session);
  const compactions = useCompactions(session.session);
  const path = useMemo(() => pathTo(branches.data ?? [], version), [branches.data, version]);
  const items = useItemsAt(session.session, version, window);
  const found = state.data;
  const listed = items.data;
  const standing = useMemo(
    () => listed && standings(listed, version, compactions.data ?? [], path, window),
    [listed, version, compactions.data, path, window],
  );
  const stale = state.isPlaceholderData || items.isPlaceholderData;

  useEffect(() => {
    if (!past || stale) return;
    const timer = setTimeout(() => {
      for (const step of NEIGHBOURS) {
        const to = version + step;
        if (to >= 1 && to < cursor.newest) prefetchState(queries, session.session, to, window);
      }
    }, 120);
    return () => clearTimeout(timer);
  }, [queries, session.session, version, past, stale, cursor.newest, window]);

  const item = Number(params.get("item")) || null;
  return (
    <>
      {past && <PastBar session={session} cursor={cursor} branches={branches.data ?? []} at={found?.version === version ? found : undefined} />}
      <nav className="pane-switch" aria-label="Pane">
        <button aria-pressed={pane === "context"} onClick={() => setPane("context")}>
          Context <i>{listed && count(listed.length)}</i>
        </button>
        <button aria-pressed={pane === "conversation"} onClick={() => setPane("conversation")}>
          Conversation
        </button>
        <button aria-pressed={pane === "state"} onClick={() => setPane("state")}>
          State <i>{found && count(openThings(found))}</i>
        </button>
      </nav>
      <main className="columns" data-show={pane} data-past={past || undefined}>
        {found && listed && standing ? (
          <>
            <ContextPanel state={found} items={listed} window={window} stale={stale} />
            <Conversation session={session} version={version} newest={cursor.newest} past={past} path={path} standing={standing} chosen={item} compactions={compactions.data ?? []} />
            <StatePane session={session} state={found} stale={stale} />
            {item !== null && <ItemDetail session={session.session} id={item} version={version} standing={standing} />}
          </>
        ) : state.error || items.error ? (
          <Problem title={`Version ${count(version)} could not be read.`} error={state.error ?? items.error} retry={() => void (state.error ? state : items).refetch()} />
        ) : (
          <>
            <Skeleton rows={10} />
            <Skeleton rows={10} />
            <Skeleton rows={10} />
          </>
        )}
      </main>
    </>
  );
}
