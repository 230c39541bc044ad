import { setParams, useAddress } from "../address/address";
import { useJobs, useRunJob, useRuns } from "../api/operations";
import { Empty, Problem } from "../parts/States";
import { ago, count, counted, moment } from "../parts/format";
import { useMayOperate } from "../shell/may";
import { Box } from "./Box";

/** The scheduled jobs, and their runs. */
export function Jobs() {
  const { params } = useAddress();
  const job = params.get("job");
  const jobs = useJobs();
  const runs = useRuns(job);
  const run = useRunJob();
  const mayOperate = useMayOperate();
  return (
    <>
      <Box title="Jobs" of={jobs} wide>
        {(found) => (
          <div className="table-box" tabIndex={0}>
            {run.error && <Problem title="The job was not run." error={run.error} />}
            <table className="table">
              <thead>
                <tr>
                  <th>Job</th>
                  <th>Does</th>
                  <th>Every</th>
                  <th>Last run</th>
                  <th>Outcome</th>
                  <th className="num">Changed</th>
                  <th>Next</th>
                  <th>
                    <span className="for-readers">Run it</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {found.jobs.map((one) => (
                  <tr key={one.job} aria-selected={job === one.job}>
                    <td>
                      <button className="link" onClick={() => setParams({ job: job === one.job ? null : one.job }, { replace: true })}>
                        {one.job}
                      </button>
                    </td>
                    <td className="text-2">{one.does}</td>
                    <td>{duration(one.every)}</td>
                    <td title={one.ended_at ? moment(one.ended_at) : undefined}>{one.ended_at ? ago(one.ended_at) : one.started_at ? "running" : "never"}</td>
                    <td>
                      <Outcome outcome={one.outcome} error={one.error} />
                      {one.failures > 0 && <span className="text-3"> {counted(one.failures, "failure")}</span>}
                    </td>
                    <td className="num">{one.changed === null ? "–" : count(one.changed)}</td>
                    <td title={moment(one.due_at)}>{new Date(one.due_at).getTime() <= Date.now() ? "due" : `in ${duration((new Date(one.due_at).getTime() - Date.now()) / 1000)}`}</td>
                    <td>
                      {mayOperate && (
                        <button className="button compact" disabled={run.isPending} onClick={() => run.mutate(one.job)}>
                          Run now
                        </button>
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Box>
      <Box title={job ? `Runs of ${job}` : "Runs"} of={runs}>
        {(found) =>
          found.runs.length === 0 ? (
            <Empty title="No run yet" command="backstory worker">
              Runs of jobs will show here.
            </Empty>
          ) : (
            <div className="table-box" tabIndex={0}>
              <table className="table">
                <thead>
                  <tr>
                    <th>Job</th>
                    <th>Began</th>
                    <th>Outcome</th>
                    <th className="num">Changed</th>
                    <th>Worker</th>
                  </tr>
                </thead>
                <tbody>
                  {found.runs.map((one) => (
                    <tr key={`${one.job} ${one.run}`}>
                      <td>{one.job}</td>
                      <td title={one.started_at ? moment(one.started_at) : undefined}>{one.started_at ? ago(one.started_at) : "–"}</td>
                      <td>
                        <Outcome outcome={one.outcome} error={one.error} />
                      </td>
                      <td className="num">{one.changed === null ? "–" : count(one.changed)}</td>
                      <td className="text-3">{one.worker}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </Box>
    </>
  );
}

function Outcome({ outcome, error }: { outcome: string | null; error: string | null }) {
  if (outcome === null) return <span className="text-3">–</span>;
  const bad = outcome !== "done" && outcome !== "ok";
  return (
    <span className={error ? "tag critical" : bad ? "tag" : "tag safe"} title={error ?? undefined}>
      {outcome}
    </span>
  );
}

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} d`;
}
