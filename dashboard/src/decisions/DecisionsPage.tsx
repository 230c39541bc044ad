/** Decisions across sessions, the newest first, each with its reason and the way to what was seen when it was made. */
import { setParams, useAddress, withParams } from "../address/address";
import { Link } from "../address/Link";
import { useDecisions } from "../api/decisions";
import { useSession } from "../api/sessions";
import type { RecordedDecisionDocument } from "../api/schema";
import { Copy } from "../parts/Copy";
import { ago, count, moment, shortId } from "../parts/format";
import { Icon } from "../parts/Icon";
import { ProjectPicker, useProject } from "../parts/ProjectPicker";
import { Empty, Loaded } from "../parts/States";
import { VIEWS } from "../session/views";
import "./DecisionsPage.css";

export function DecisionsPage() {
  const { params } = useAddress();
  const session = params.get("session");
  const project = useProject();
  const words = params.get("q") ?? "";
  const decisions = useDecisions({ project: session === null ? project : null, session });
  const all = decisions.data?.pages.flatMap((page) => page.decisions) ?? [];
  const shown = all.filter((decision) => matches(decision, words));
  return (
    <main className="whole">
      <div className="width">
        <div className="page-head">
          <h1>Decisions</h1>
          {session === null ? <ProjectPicker /> : <OfSession session={session} />}
          <label className="field compact">
            <Icon name="search" small />
            <input value={words} placeholder="Text, reason, who" aria-label="Filter decisions" onChange={(event) => setParams({ q: event.target.value }, { replace: true })} />
          </label>
          <span className="grow" />
          <span className="text-2">
            {count(shown.length)} {decisions.hasNextPage && "and more"}
          </span>
          <Copy choices={[{ name: "Markdown", text: () => shown.map(asMarkdown).join("\n\n") }, { name: "JSON", text: () => JSON.stringify(shown, null, 2) }]} />
        </div>
        {project === null && session === null ? (
          <Empty title="No project yet" command='backstory sessions start --project orders-api --title "First session"'>
            Decisions of all sessions of a project will show here.
          </Empty>
        ) : (
          <Loaded of={decisions} what="The decisions">
            {() => (
              <>
                {shown.length === 0 && (
                  <div className="box">
                    <Empty title={all.length ? "No decision matches" : "No decisions yet"} command='backstory command last "/log_decision Use RS256 because services only need the public key"'>
                      What is decided in the sessions of this project will show here.
                    </Empty>
                  </div>
                )}
                <ol className="decisions">
                  {shown.map((decision) => (
                    <Decision key={`${decision.session} ${decision.item}`} decision={decision} />
                  ))}
                </ol>
                {decisions.hasNextPage && (
                  <button className="button" disabled={decisions.isFetchingNextPage} onClick={() => void decisions.fetchNextPage()}>
                    Read on
                  </button>
                )}
              </>
            )}
          </Loaded>
        )}
      </div>
    </main>
  );
}

function matches(decision: RecordedDecisionDocument, words: string): boolean {
  const text = [decision.text, decision.rationale, decision.decided_by, ...decision.alternatives_rejected, ...decision.impact].join(" ").toLowerCase();
  return words.toLowerCase().split(/\s+/).every((word) => text.includes(word));
}

function OfSession({ session }: { session: string }) {
  const found = useSession(session);
  return (
    <span className="chip chosen">
      {found.data?.title ?? shortId(session)}
      <button aria-label="Decisions of the whole project" onClick={() => setParams({ session: null, project: found.data?.project })}>
        <Icon name="close" small />
      </button>
    </span>
  );
}

function Decision({ decision }: { decision: RecordedDecisionDocument }) {
  const to = `/sessions/${decision.session}`;
  const prompts = VIEWS.some((view) => view.path === "prompts");
  return (
    <li className="box decision-row">
      <header>
        <Icon name="decision" small />
        <h2>{decision.text ?? <i>erased</i>}</h2>
        <span className="right">
          {decision.noticed !== null && <span className="tag">noticed, then confirmed</span>}
          {decision.decided_by && <span>{decision.decided_by}</span>}
          <span title={moment(decision.at)}>{ago(decision.at)}</span>
        </span>
      </header>
      <dl>
        {decision.rationale && (
          <>
            <dt>Because</dt>
            <dd>{decision.rationale}</dd>
          </>
        )}
        {decision.alternatives_rejected.length > 0 && (
          <>
            <dt>Instead of</dt>
            <dd>
              <s>{decision.alternatives_rejected.map((text) => text ?? "erased").join(", ")}</s>
            </dd>
          </>
        )}
        {decision.impact.length > 0 && (
          <>
            <dt>Affects</dt>
            <dd>{decision.impact.map((text) => text ?? "erased").join(", ")}</dd>
          </>
        )}
        <dt>Evidence</dt>
        <dd className="row">
          <Link className="link" to={withParams(to, { item: decision.item })}>
            {shortId(decision.session)} v{count(decision.item)}
          </Link>
          <Link className="link" to={withParams(to, { v: decision.item })}>
            the state then
          </Link>
          {prompts && (
            <Link className="link" to={withParams(`${to}/prompts`, { v: decision.item })}>
              what the model saw
            </Link>
          )}
        </dd>
      </dl>
    </li>
  );
}

function asMarkdown(decision: RecordedDecisionDocument): string {
  const because = decision.rationale ? `\n  Because ${decision.rationale}` : "";
  return `- **${decision.text ?? "(erased)"}**${because}\n  ${location.origin}/sessions/${decision.session}?v=${decision.item}`;
}
