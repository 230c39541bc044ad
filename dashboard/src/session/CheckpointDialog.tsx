import { useState, type FormEvent } from "react";
import { Dialog } from "../parts/Dialog";
import { count } from "../parts/format";
import { Problem } from "../parts/States";
import { useCheckpoint } from "./writes";

/** Gives the newest version a name. */
export function CheckpointDialog({ session, version, close }: { session: string; version: number; close: () => void }) {
  const [name, setName] = useState("");
  const checkpoint = useCheckpoint(session, close);
  function submit(event: FormEvent) {
    event.preventDefault();
    if (name.trim()) checkpoint.mutate({ name: name.trim() });
  }
  return (
    <Dialog title={`Name version ${count(version)}`} close={close}>
      <form onSubmit={submit}>
        <p>A checkpoint is a name for a version. It holds the chain's hash there and can be found again in the timeline.</p>
        <label className="field">
          <input value={name} onChange={(event) => setName(event.target.value)} placeholder="before the migration" aria-label="Name" autoFocus required maxLength={200} />
        </label>
        {checkpoint.error && <Problem title="The checkpoint was not made." error={checkpoint.error} />}
        <footer>
          <button type="button" className="button quiet" onClick={close}>
            Cancel <kbd>Esc</kbd>
          </button>
          <button className="button primary" disabled={!name.trim() || checkpoint.isPending}>
            Make the checkpoint
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
