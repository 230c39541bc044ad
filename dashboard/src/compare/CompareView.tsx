/** Two versions of a session: items in and out, decisions, tokens, and their prompts side by side. */
import { setParams, withParams } from "../address/address";
import { useKeys } from "../address/keys";
import { asCurl, ofSession } from "../api/client";
import { useBranches } from "../api/timeline";
import { Copy } from "../parts/Copy";
import { Icon } from "../parts/Icon";
import { Loaded } from "../parts/States";
import { VersionLink } from "../parts/VersionLink";
import { count } from "../parts/format";
import type { SessionViewProps } from "../session/views";
import { ChangedDecisions } from "./ChangedDecisions";
import { ChangedItems } from "./ChangedItems";
import { Letter } from "./Letter";
import { PartTokens } from "./PartTokens";
import { PromptDiff } from "./PromptDiff";
import { VersionField } from "./VersionField";
import { commonStart } from "./commonStart";
import { useDiff, useItemCount, usePromptOf } from "./queries";
import "./CompareView.css";

/** Without a pinned version, this many versions before. */
const BACK = 10;

export function CompareView({ session, version: b, cursor }: SessionViewProps) {
  const id = session.session;
  const a = cursor.pin ?? Math.max(1, b - BACK);
  const diff = useDiff(id, a, b);
  const promptA = usePromptOf(id, a);
  const promptB = usePromptOf(id, b);
  const items = useItemCount(id, b);
  const branches = useBranches(id);
  const show = (from: number, to: number) => setParams({ pin: from, v: to === session.version ? null : to });
  useKeys({ x: () => show(b, a) });

  const common = branches.data ? commonStart(branches.data, a, b) : 0;
  const changes = diff.data;
  const same = changes && items.data != null ? items.data - changes.items_in.length - changes.items_changed.length : null;
  const decisions = changes ? Math.max(changes.decisions_added.length, changes.decisions_gone.length) : 0;
  return (
    <main className="compare-view">
      <div className="sub-header">
        <h2 className="for-readers">
          Version {a} and version {b}
        </h2>
        <Letter name="A" />
        <VersionField name="Version A" version={a} newest={session.version} onChange={(typed) => show(typed, b)} />
        <button className="button quiet compact only-icon" aria-label="Swap A and B" title="Swap A and B (X)" onClick={() => show(b, a)}>
          <Icon name="compare" />
        </button>
        <Letter name="B" />
        <VersionField name="Version B" version={b} newest={session.version} onChange={(typed) => show(a, typed)} />
        {common > 0 && common !== Math.min(a, b) && (
          <span className="fact hide-small">
            Common start <VersionLink session={id} version={common} />
          </span>
        )}
        <div className="beside">
          {promptA.data && promptB.data && (
            <span className="fact">
              <b>
                {count(promptA.data.tokens)} → {count(promptB.data.tokens)}
              </b>{" "}
              tokens
            </span>
          )}
          {changes && (
            <>
              <span className="separator hide-small" />
              <span className="fact">
                <span className="added-count">+{count(changes.items_in.length)}</span> items in
              </span>
              <span className="fact">
                <span className="removed-count">−{count(changes.items_out.length)}</span> out
              </span>
              {same !== null && (
                <span className="fact">
                  <b>{count(same)}</b> the same
                </span>
              )}
              <span className="separator hide-small" />
              <span className="fact">
                <b>{count(decisions)}</b> {decisions === 1 ? "decision" : "decisions"} changed
              </span>
            </>
          )}
          <Copy
            choices={[
              { name: "link", text: () => new URL(withParams(`/sessions/${id}/compare`, { pin: a, v: b }), location.origin).href },
              { name: "JSON", text: () => JSON.stringify(changes, null, 2) },
              { name: "curl", text: () => asCurl(ofSession(id, "/diff"), { from_version: a, to_version: b }) },
            ]}
          />
        </div>
      </div>
      <div className="compare-grid">
        <div className="left">
          <Loaded of={diff} what="The changes">
            {(found) => (
              <>
                <ChangedDecisions session={id} diff={found} />
                <ChangedItems session={id} diff={found} />
              </>
            )}
          </Loaded>
          {promptA.data && promptB.data && <PartTokens a={promptA.data} b={promptB.data} />}
        </div>
        <Loaded of={promptA} what={`The prompt at version ${a}`}>
          {(before) => (
            <Loaded of={promptB} what={`The prompt at version ${b}`}>
              {(after) => <PromptDiff a={before} b={after} />}
            </Loaded>
          )}
        </Loaded>
      </div>
    </main>
  );
}
