import { useState, type FormEvent } from "react";
import { go } from "../address/address";
import type { ShownSessionDocument } from "../api/schema";
import { Dialog } from "../parts/Dialog";
import { count } from "../parts/format";
import { Problem } from "../parts/States";
import { useFork } from "./writes";

interface Props {
  session: ShownSessionDocument;
  at: number;
  close: () => void;
}

/** A new session with the history of this one up to a version. */
export function ForkDialog({ session, at, close }: Props) {
  const [title, setTitle] = useState(`${session.title ?? "Session"}, from ${at}`);
  const [why, setWhy] = useState("");
  const fork = useFork(session.session, (made) => go(`/sessions/${made.session}`));
  function submit(event: FormEvent) {
    event.preventDefault();
    fork.mutate({ at, title: title.trim() || null, why: why.trim() || null });
  }
  return (
    <Dialog title={`Fork from version ${count(at)}?`} close={close}>
      <form onSubmit={submit}>
        <p>A new session begins with the history up to version {count(at)}. This one stays as it is.</p>
        <label className="field">
          <input value={title} onChange={(event) => setTitle(event.target.value)} aria-label="Title of the fork" maxLength={200} />
        </label>
        <label className="field">
          <input value={why} onChange={(event) => setWhy(event.target.value)} placeholder="Why? This is kept with the event." aria-label="Reason" autoFocus />
        </label>
        {fork.error && <Problem title="The session was not forked." error={fork.error} />}
        <footer>
          <button type="button" className="button quiet" onClick={close}>
            Cancel <kbd>Esc</kbd>
          </button>
          <button className="button primary" disabled={fork.isPending}>
            Fork from {count(at)}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
