/** The service and its database: health, alerts, jobs, feed, projections, keys, retention, and a check of the record. */
import { useReadAgain } from "../api/operations";
import { Activity } from "./Activity";
import { Alerts } from "./Alerts";
import { Calls } from "./Calls";
import { Health } from "./Health";
import { Jobs } from "./Jobs";
import { Keys } from "./Keys";
import { Projections } from "./Projections";
import { Retention } from "./Retention";
import "./OperationsPage.css";

export function OperationsPage() {
  return (
    <main className="whole">
      <div className="width operations">
        <div className="page-head wide">
          <h1>Operations</h1>
          <span className="grow" />
          <button className="button compact" onClick={useReadAgain()}>
            Read again
          </button>
        </div>
        <Health />
        <Alerts />
        <Activity />
        <Jobs />
        <Projections />
        <Keys />
        <Retention />
        <Calls />
      </div>
    </main>
  );
}
