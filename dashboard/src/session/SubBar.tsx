import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useAddress, withParams } from "../address/address";
import { Link } from "../address/Link";
import { asCurl, get, ofSession } from "../api/client";
import type { ShownSessionDocument, VerificationDocument } from "../api/schema";
import { useStateAt } from "../api/sessions";
import { useTimeline } from "../api/timeline";
import { Avatars } from "../parts/Avatar";
import { Copy } from "../parts/Copy";
import { count, counted, limitText, money } from "../parts/format";
import { Icon } from "../parts/Icon";
import { Meter } from "../parts/Meter";
import { useMayWrite } from "../shell/may";
import { columnAt, limitAt, zoneOf } from "../timeline/scale";
import { CheckpointDialog } from "./CheckpointDialog";
import type { Cursor } from "./cursor";
import { ForkDialog } from "./ForkDialog";
import { VIEWS } from "./views";
import "./SubBar.css";

interface Props {
  session: ShownSessionDocument;
  current: string;
  cursor: Cursor;
}

/** The session's views, and its figures at the version of the cursor. */
export function SubBar({ session, current, cursor }: Props) {
  const { params } = useAddress();
  const [asking, setAsking] = useState<"checkpoint" | "fork" | null>(null);
  const mayWrite = useMayWrite();
  const close = () => setAsking(null);
  return (
    <section className="sub-bar" aria-label="Session">
      <nav className="tabs" aria-label="Views">
        {VIEWS.map((view) => (
          <Link
            key={view.path}
            to={withParams(`/sessions/${session.session}${view.path && `/${view.path}`}`, { v: params.get("v"), pin: params.get("pin") })}
            aria-current={view.path === current ? "page" : undefined}
          >
            {view.name} {view.count && <i>{count(view.count(session))}</i>}
          </Link>
        ))}
      </nav>
      <span className="grow hide-small" />
      <span className="fact hide-medium">
        <Avatars names={session.agents} />
      </span>
      <span className="separator hide-medium" />
      <Usage session={session} cursor={cursor} />
      {(session.cost_usd > 0 || session.model_calls > 0) && (
        <>
          <span className="separator hide-medium" />
          <span className="fact hide-medium" title="All calls of models, on left branches too">
            <b>{money(session.cost_usd)}</b> {counted(session.model_calls, "call")}
          </span>
        </>
      )}
      <span className="separator hide-medium" />
      <Chain session={session} />
      <span className="row hide-small">
        <Copy
          label="Copy this session"
          choices={[
            { name: "Link", text: () => location.href },
            { name: "JSON", text: () => JSON.stringify(session, null, 2) },
            { name: "curl", text: () => asCurl(ofSession(session.session, "")) },
            { name: "Id", text: () => session.session },
          ]}
        />
        {mayWrite && !cursor.past && (
          <>
            <button className="button hide-medium" onClick={() => setAsking("checkpoint")}>
              <Icon name="checkpoint" small />
              Checkpoint
            </button>
            <button className="button hide-medium" onClick={() => setAsking("fork")}>
              <Icon name="fork" small />
              Fork
            </button>
          </>
        )}
      </span>
      {asking === "checkpoint" && <CheckpointDialog session={session.session} version={session.version} close={close} />}
      {asking === "fork" && <ForkDialog session={session} at={session.version} close={close} />}
    </section>
  );
}

/** The window at the cursor, frame by frame: the timeline has its tokens. */
function Usage({ session, cursor }: { session: ShownSessionDocument; cursor: Cursor }) {
  const timeline = useTimeline(session.session, "main").data;
  const state = useStateAt(session.session, cursor.version).data;
  const column = cursor.at < session.version && timeline ? columnAt(timeline.columns, cursor.at) : undefined;
  const exact = column && state?.version === cursor.at ? state.windows.main?.tokens : undefined;
  const tokens = exact ?? column?.tokens ?? session.tokens;
  const limit = column && timeline ? limitAt(timeline.limits, cursor.at) : session.token_limit;
  const zone = limit ? zoneOf(tokens / limit) : "safe";
  return (
    <span className="fact usage">
      {limit !== null && <Meter tokens={tokens} limit={limit} zone={zone} />}
      <b>{count(tokens)}</b>
      <span className="hide-small">{limit === null ? "tokens" : `of ${limitText(limit)}`}</span>
      {limit !== null && <span className={`tag ${zone}`}>{zone}</span>}
    </span>
  );
}

/** Checks the chain when it is asked to: a long record takes a while. */
function Chain({ session }: { session: ShownSessionDocument }) {
  const check = useQuery({
    queryKey: ["verify", session.session],
    queryFn: ({ signal }) => get<VerificationDocument>(ofSession(session.session, "/verify"), {}, signal),
    enabled: false,
    staleTime: Infinity,
  });
  if (check.data) {
    return (
      <span className={check.data.ok ? "fact chain hide-medium" : "fact chain broken"} title="Every event holds the hash of the one before it.">
        <Icon name="shield" small />
        {check.data.ok ? "Chain verified" : "The chain is broken"}
      </span>
    );
  }
  return (
    <button className="button quiet hide-medium" disabled={check.isFetching} title="Check that no event was altered" onClick={() => void check.refetch()}>
      <Icon name="shield" small />
      {check.isFetching ? "Checking…" : "Verify"}
    </button>
  );
}
