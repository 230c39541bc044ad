/** A compaction: what it cut, what stayed, what its summary left out, what later steps used of it, and the way back. */
import { useState } from "react";
import { Link } from "../address/Link";
import { withParams } from "../address/address";
import { useKeys } from "../address/keys";
import type { RecordedCompactionDocument, ShownSessionDocument } from "../api/schema";
import { Icon } from "../parts/Icon";
import { Empty, Loaded, Skeleton } from "../parts/States";
import { SubHeader } from "../parts/SubHeader";
import { clock, count, percent } from "../parts/format";
import { UndoDialog } from "../session/UndoDialog";
import type { SessionViewProps } from "../session/views";
import { DispositionFlow } from "./DispositionFlow";
import { FateTable } from "./FateTable";
import { NotInSummary } from "./NotInSummary";
import { SummaryBox } from "./SummaryBox";
import { UsedLater } from "./UsedLater";
import { WindowFigure } from "./WindowFigure";
import { bandsOf, compactionAt, DISPOSITIONS, fatesOf, type Disposition } from "./fates";
import { useCompactions, useDropped, useItemsAt, useUsageAt } from "./queries";
import "./CompactionsView.css";

export function CompactionsView({ session, version }: SessionViewProps) {
  const compactions = useCompactions(session.session, session.version);
  return (
    <main className="compactions-view">
      <Loaded of={compactions} what="The compactions">
        {(found) =>
          found.length ? (
            <CompactionView key={compactionAt(found, version)} session={session} all={found} place={compactionAt(found, version)} />
          ) : (
            <Empty title="No compaction yet" command="backstory compact last">
              When a window fills up, older items give way to a summary. What left is listed here, and comes back with one click.
            </Empty>
          )
        }
      </Loaded>
    </main>
  );
}

interface CompactionProps {
  session: ShownSessionDocument;
  all: RecordedCompactionDocument[];
  place: number;
}

function CompactionView({ session, all, place }: CompactionProps) {
  const compaction = all[place]!;
  const { version, window } = compaction;
  const id = session.session;
  const before = useItemsAt(id, version - 1, window);
  const after = useItemsAt(id, version, window);
  const usageBefore = useUsageAt(id, version - 1, window);
  const usageAfter = useUsageAt(id, version, window);
  const dropped = useDropped(id, version, session.version);
  const [chosen, setChosen] = useState<Disposition | null>(null);
  const [onlyUsed, setOnlyUsed] = useState(false);
  const [undoing, setUndoing] = useState(false);
  const can = compaction.live && compaction.undone === null;
  useKeys({ u: () => can && setUndoing(true) });

  const summary = after.data?.find((item) => item.item === version);
  const fates = before.data && after.data ? fatesOf(compaction, before.data, after.data) : null;
  const bands = fates ? bandsOf(fates, summary?.shown_tokens ?? 0) : [];
  const used = new Map(
    dropped.data?.items.filter((item) => item.used_at !== null).map((item) => [item.item, `v${item.used_at}: ${item.used.join(", ")}`]),
  );
  const rows = fates?.filter((fate) => (!chosen || fate.disposition === chosen) && (!onlyUsed || used.has(fate.item.item)));
  const left = compaction.summarized.length + compaction.dropped.length;
  const returning = bands.filter((band) => band.disposition === "summarized" || band.disposition === "dropped").reduce((sum, band) => sum + band.before, 0);
  const then = session.tokens + returning - (summary?.shown_tokens ?? 0);
  const limit = session.token_limit;
  const at = (other: RecordedCompactionDocument | undefined) => (other ? withParams(`/sessions/${id}/compactions`, { v: other.version }) : null);
  const facts = [
    `${place + 1} of ${all.length}`,
    clock(compaction.at),
    compaction.algorithm.replaceAll("_", " "),
    compaction.trigger && `started by ${compaction.trigger.replaceAll("_", " ")}`,
    compaction.actor,
    compaction.summarizer && `summary by ${compaction.summarizer}`,
  ];
  return (
    <>
      <SubHeader title={`Compaction at version ${version}`} note={facts.filter(Boolean).join(" · ")} previous={at(all[place - 1])} next={at(all[place + 1])}>
        {compaction.undone !== null ? (
          <span className="tag">undone at version {compaction.undone}</span>
        ) : !compaction.live ? (
          <span className="tag">on a branch that was left</span>
        ) : (
          <span className="effect">
            Undo adds one event and brings {count(left)} items back.
            {limit !== null && (
              <>
                <br />
                The window would then stand at <b className={then > limit ? "over" : undefined}>{percent(then / limit)}{then > limit ? ", over the limit" : ""}</b>.
              </>
            )}
          </span>
        )}
        <Link className="button" to={withParams(`/sessions/${id}/compare`, { pin: version - 1, v: version })}>
          <Icon name="compare" small />
          Compare {version - 1} ↔ {version}
        </Link>
        <button className="button" disabled={!can} title={can ? undefined : "It does not stand any more"} onClick={() => setUndoing(true)}>
          <Icon name="backtrack" small />
          Undo… <kbd>U</kbd>
        </button>
      </SubHeader>
      <div className="compaction-grid">
        <section className="box before-after" aria-label="Before and after">
          <header>
            <h2>Before and after</h2>
            <span className="right">tokens in the window</span>
          </header>
          <div className="figures">
            {usageBefore.data && <WindowFigure name={`Before, v${version - 1}`} tokens={usageBefore.data.tokens} limit={usageBefore.data.limit} items={before.data?.length ?? null} />}
            <div className="grow">{fates ? <DispositionFlow bands={bands} chosen={chosen} onChoose={setChosen} /> : <Skeleton rows={4} />}</div>
            {usageAfter.data && <WindowFigure name={`After, v${version}`} tokens={usageAfter.data.tokens} limit={usageAfter.data.limit} items={after.data?.length ?? null} />}
          </div>
        </section>
        <section className="box fates" aria-label="Items">
          <header>
            <h2>Items</h2>
            <span className="segments">
              <button aria-pressed={chosen === null} onClick={() => setChosen(null)}>
                All <span className="text-3">{count(fates?.length ?? 0)}</span>
              </button>
              {DISPOSITIONS.map((disposition) => {
                const band = bands.find((one) => one.disposition === disposition);
                return (
                  band && (
                    <button key={disposition} className={disposition} aria-pressed={chosen === disposition} onClick={() => setChosen(disposition)}>
                      <span className="swatch" />
                      {disposition} <span className="text-3">{count(band.items)}</span>
                    </button>
                  )
                );
              })}
            </span>
            <span className="right">
              <button className="button compact quiet" aria-pressed={onlyUsed} onClick={() => setOnlyUsed(!onlyUsed)}>
                Used later only
              </button>
            </span>
          </header>
          {rows ? <FateTable session={id} fates={rows} used={used} /> : <Skeleton />}
        </section>
        <div className="side">
          <NotInSummary session={session} compaction={version} />
          <Loaded of={dropped} what="What left">
            {(found) => <UsedLater session={id} dropped={found} />}
          </Loaded>
          {compaction.text !== null && <SummaryBox text={compaction.text} items={compaction.summarized.length} tokens={compaction.tokens_after} />}
        </div>
      </div>
      {undoing && (
        <UndoDialog
          session={id}
          compaction={version}
          items={left}
          tokens={{ now: session.tokens, after: then, limit }}
          close={() => setUndoing(false)}
        />
      )}
    </>
  );
}
