import { Dialog } from "../parts/Dialog";
import { counted } from "../parts/format";
import { Problem } from "../parts/States";
import { useUndo } from "./writes";

interface Props {
  session: string;
  compaction: number;
  items: number;
  close: () => void;
}

export function UndoDialog({ session, compaction, items, close }: Props) {
  const undo = useUndo(session, close);
  return (
    <Dialog title={`Undo the compaction at version ${compaction}?`} close={close}>
      <p>Its items come back into the window and its summary leaves. One more undo is possible: nothing is deleted.</p>
      <dl>
        <div>
          <dt>Comes back</dt>
          <dd>{counted(items, "item")}</dd>
        </div>
        <div>
          <dt>Leaves</dt>
          <dd>the summary, v{compaction}</dd>
        </div>
      </dl>
      {undo.error && <Problem title="It was not undone." error={undo.error} />}
      <footer>
        <button className="button quiet" onClick={close}>
          Cancel <kbd>Esc</kbd>
        </button>
        <button className="button primary" disabled={undo.isPending} onClick={() => undo.mutate({ version: compaction })}>
          Undo the compaction
        </button>
      </footer>
    </Dialog>
  );
}
