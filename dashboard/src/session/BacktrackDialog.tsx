import { useState, type FormEvent, type KeyboardEvent } from "react";
import { setParams } from "../address/address";
import type { ShownSessionDocument, StateDocument } from "../api/schema";
import { Dialog } from "../parts/Dialog";
import { count, percent } from "../parts/format";
import { Problem } from "../parts/States";
import { useBacktrack } from "./writes";

interface Props {
  session: ShownSessionDocument;
  to: number;
  /** The state there, once it is read. */
  at: StateDocument | undefined;
  close: () => void;
}

/** Asks once, and says what changes. */
export function BacktrackDialog({ session, to, at, close }: Props) {
  const [why, setWhy] = useState("");
  const backtrack = useBacktrack(session.session, () => {
    close();
    setParams({ v: null });
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    if (why.trim()) backtrack.mutate({ to, why: why.trim() });
  }
  function press(event: KeyboardEvent<HTMLFormElement>) {
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) event.currentTarget.requestSubmit();
  }
  const tokens = at?.windows.main?.tokens;
  const limit = session.token_limit;
  return (
    <Dialog title={`Make version ${count(to)} current?`} close={close}>
      <form onSubmit={submit} onKeyDown={press}>
        <p>Agents will go on from version {count(to)}. Nothing is deleted.</p>
        <dl>
          <div>
            <dt>Becomes current</dt>
            <dd>
              version {count(to)}, as event {count(session.version + 1)}
            </dd>
          </div>
          <div>
            <dt>Stays readable as a branch</dt>
            <dd>up to {count(session.version)}</dd>
          </div>
          {tokens !== undefined && (
            <div>
              <dt>Window</dt>
              <dd>
                {count(session.tokens)} → {count(tokens)} tokens{limit !== null && tokens > limit && `, ${percent(tokens / limit)}, over the limit`}
              </dd>
            </div>
          )}
          {at && at.decision_count !== session.decisions && (
            <div>
              <dt>Decisions</dt>
              <dd>
                {count(session.decisions)} → {count(at.decision_count)}
              </dd>
            </div>
          )}
        </dl>
        <label className="field">
          <input value={why} onChange={(event) => setWhy(event.target.value)} placeholder="Why? This is kept with the event." aria-label="Reason" autoFocus required />
        </label>
        {backtrack.error && <Problem title="The session was not backtracked." error={backtrack.error} />}
        <footer>
          <button type="button" className="button quiet" onClick={close}>
            Cancel <kbd>Esc</kbd>
          </button>
          <button className="button primary" disabled={!why.trim() || backtrack.isPending} title={why.trim() ? undefined : "A reason is needed"}>
            Backtrack to {count(to)} <kbd>⌘↵</kbd>
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
