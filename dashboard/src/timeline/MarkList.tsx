import { useEffect, useRef } from "react";
import type { TimelineMarkDocument } from "../api/schema";
import { clock, count } from "../parts/format";
import { Icon } from "../parts/Icon";
import type { Cursor } from "../session/cursor";
import { said } from "./marks";

interface Props {
  marks: TimelineMarkDocument[];
  cursor: Cursor;
  close: () => void;
}

/** The marks of the timeline as a list, for those who do not see the drawing. */
export function MarkList({ marks, cursor, close }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className="mark-list" aria-label="Marks" onClose={close}>
      <header className="row">
        <h2 className="grow">Marks</h2>
        <button className="button quiet only-icon" aria-label="Close" onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      <ul className="scroll">
        {marks.map((mark) => (
          <li key={`${mark.version} ${mark.kind}`}>
            <button
              onClick={() => {
                cursor.move(mark.version);
                close();
              }}
            >
              <span className="version">v{count(mark.version)}</span>
              <span className="grow cut">{said(mark)}</span>
              <span className="text-3">{clock(mark.at)}</span>
            </button>
          </li>
        ))}
      </ul>
    </dialog>
  );
}
