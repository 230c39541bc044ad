import { useState } from "react";
import { useKeys } from "../address/keys";
import type { ShownSessionDocument, StateDocument } from "../api/schema";
import { clock, count } from "../parts/format";
import { Icon } from "../parts/Icon";
import { useMayWrite } from "../shell/may";
import { abandoned, runOf, type Branch } from "../timeline/branches";
import { BacktrackDialog } from "./BacktrackDialog";
import type { Cursor } from "./cursor";
import { ForkDialog } from "./ForkDialog";
import "./PastBar.css";

interface Props {
  session: ShownSessionDocument;
  cursor: Cursor;
  branches: Branch[];
  /** The state there, once it is read. */
  at: StateDocument | undefined;
}

/** Says that this is the past, and what can be done from here. */
export function PastBar({ session, cursor, branches, at }: Props) {
  const [asking, setAsking] = useState<"backtrack" | "fork" | null>(null);
  const mayWrite = useMayWrite();
  const run = runOf(abandoned(branches), cursor.at);
  const close = () => setAsking(null);
  useKeys({
    Escape: cursor.toNow,
    ...(mayWrite && { b: () => setAsking("backtrack"), f: () => setAsking("fork") }),
  }, asking === null);
  return (
    <div className="past-bar" role="status">
      <Icon name="clock" />
      <span className="where">
        <b>
          You are looking at version {count(cursor.at)} of {count(cursor.newest)}
        </b>{" "}
        <span className="text-2">
          {at && `· ${clock(at.last_activity)}`}
          {run ? `, on a branch abandoned at ${count(run.left)}` : ", on the current branch"}
        </span>
      </span>
      <button className="link" onClick={cursor.toNow}>
        Back to now
      </button>
      <kbd>End</kbd>
      <span className="grow" />
      <span className="text-2 hide-medium nowrap small-text">Read only. Nothing is lost when you move.</span>
      {mayWrite && (
        <>
          <button className="button" onClick={() => setAsking("fork")}>
            <Icon name="fork" small />
            <span>Fork<span className="hide-small"> from here</span></span> <kbd>F</kbd>
          </button>
          <button className="button primary" onClick={() => setAsking("backtrack")}>
            <Icon name="backtrack" small />
            <span>Backtrack<span className="hide-small"> here</span></span> <kbd>B</kbd>
          </button>
        </>
      )}
      {asking === "backtrack" && <BacktrackDialog session={session} to={cursor.version} at={at} close={close} />}
      {asking === "fork" && <ForkDialog session={session} at={cursor.version} close={close} />}
    </div>
  );
}
