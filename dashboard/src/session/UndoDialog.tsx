import type { FormEvent } from "react";
import { Dialog } from "../parts/Dialog";
import { count, counted, percent } from "../parts/format";
import { Problem } from "../parts/States";
import { useUndo } from "./writes";

interface Props {
  session: string;
  compaction: number;
  items: number;
  /** The window's tokens now and after the undo, where they are known. */
  tokens?: { now: number; after: number; limit: number | null };
  close: () => void;
}

export function UndoDialog({ session, compaction, items, tokens, close }: Props) {
  const undo = useUndo(session, close);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const why = String(new FormData(event.currentTarget).get("why") ?? "").trim();
    undo.mutate({ version: compaction, why: why || null });
  }

  return (
    <Dialog title={`Undo the compaction at version ${compaction}?`} close={close}>
      <p>Its items come back into the window and its summary leaves. Nothing is deleted.</p>
      <dl>
        <div>
          <dt>Comes back</dt>
          <dd>{counted(items, "item")}</dd>
        </div>
        <div>
          <dt>Leaves</dt>
          <dd>the summary, v{compaction}</dd>
        </div>
        {tokens && (
          <div>
            <dt>Window</dt>
            <dd>
              {count(tokens.now)} → {count(tokens.after)} tokens
              {tokens.limit !== null && `, ${percent(tokens.after / tokens.limit)}${tokens.after > tokens.limit ? ", over the limit" : ""}`}
            </dd>
          </div>
        )}
      </dl>
      <form onSubmit={submit}>
        <label className="field">
          <input name="why" placeholder="Why? This is kept with the event." aria-label="Reason" autoComplete="off" autoFocus />
        </label>
        {undo.error && <Problem title="It was not undone." error={undo.error} />}
        <footer>
          <button type="button" className="button quiet" onClick={close}>
            Cancel <kbd>Esc</kbd>
          </button>
          <button className="button primary" disabled={undo.isPending}>
            Undo the compaction
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
