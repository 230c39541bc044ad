/** The service and its database: health, alerts, jobs, feed, projections, keys, retention, and a check of the record. */
import type { ReactNode } from "react";
import { useAddress, setParams } from "../address/address";
import { Link } from "../address/Link";
import { ApiError } from "../api/client";
import {
  useActivity,
  useCalls,
  useFeed,
  useJobs,
  useKeyList,
  useProjections,
  useReadAgain,
  useReadiness,
  useRetention,
  useRunJob,
  useRuns,
  useSetAside,
  useVerifyAll,
} from "../api/operations";
import { useSessions } from "../api/sessions";
import { ago, count, counted, moment, money, percent, shortId } from "../parts/format";
import { Icon } from "../parts/Icon";
import { Empty, Problem, Skeleton } from "../parts/States";
import { useMayOperate } from "../shell/may";
import { ActivityChart } from "./ActivityChart";
import "./OperationsPage.css";

const DAY = 86_400_000;
const DAYS = 30;

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

interface BoxProps<T> {
  title: string;
  of: { data: T | undefined; error: unknown; refetch: () => unknown };
  right?: ReactNode;
  wide?: boolean;
  children: (data: T) => ReactNode;
}

function Box<T>({ title, of, right, wide, children }: BoxProps<T>) {
  const denied = of.error instanceof ApiError && of.error.status === 403;
  return (
    <section className={wide ? "box wide" : "box"}>
      <header>
        <h2>{title}</h2>
        <span className="right">{right}</span>
      </header>
      {of.data !== undefined ? (
        children(of.data)
      ) : denied ? (
        <Empty title="Your key may not see this">{of.error instanceof Error && of.error.message}</Empty>
      ) : of.error ? (
        <Problem title={`${title} could not be read.`} error={of.error} retry={() => void of.refetch()} />
      ) : (
        <Skeleton rows={3} label={`Loading: ${title}`} />
      )}
    </section>
  );
}

function Health() {
  const ready = useReadiness();
  const feed = useFeed();
  const verify = useVerifyAll();
  const broken = verify.data?.sessions.filter((session) => !session.ok) ?? [];
  return (
    <Box
      title="Health"
      of={ready}
      right={
        <button className="button compact" disabled={verify.isFetching} title="Check every chain of the store" onClick={() => void verify.refetch()}>
          <Icon name="shield" small />
          {verify.isFetching ? "Checking…" : "Verify now"}
        </button>
      }
    >
      {(found) => (
        <>
          <dl className="facts">
            <Fact name="Service" value={found.ready ? "ready" : (found.reason ?? "not ready")} bad={!found.ready} />
            <Fact name="Database" value={found.database ? "answers" : "does not answer"} bad={!found.database} />
            <Fact name="Schema" value={found.schema ? "of this version" : "of another version"} bad={!found.schema} />
            <Fact name="Feed" value={feed.data ? (feed.data.behind ? `${counted(feed.data.behind, "event")} behind, ${feed.data.seconds.toFixed(1)} s` : `at ${count(feed.data.position)}, none behind`) : "…"} bad={(feed.data?.seconds ?? 0) > 10} />
            {feed.data?.stalled_by != null && <Fact name="Feed waits for" value={`the transaction of process ${feed.data.stalled_by}`} bad />}
            {feed.data?.consumers.map((consumer) => (
              <Fact key={consumer.name} name={consumer.name} value={consumer.behind ? `${counted(consumer.behind, "event")} behind, ${consumer.seconds.toFixed(0)} s` : "up to date"} bad={consumer.seconds > 60} />
            ))}
          </dl>
          {verify.error && <Problem title="The check did not finish." error={verify.error} />}
          {verify.data && (
            <div className={verify.data.ok ? "verdict ok" : "verdict bad"} role="status">
              <Icon name="shield" small />
              <span>
                <b>{verify.data.ok ? "Every chain is whole." : "The record was altered."}</b> {counted(verify.data.sessions.length, "session")},{" "}
                {counted(verify.data.sessions.reduce((sum, session) => sum + session.events, 0), "event")}.
                {broken.map((session) => (
                  <span key={session.session} className="broken">
                    {session.session ? <Link to={`/sessions/${session.session}`}>{shortId(session.session)}</Link> : "a session"}: {session.problem?.where}, {session.problem?.what}
                  </span>
                ))}
              </span>
            </div>
          )}
        </>
      )}
    </Box>
  );
}

function Fact({ name, value, bad }: { name: string; value: string; bad?: boolean }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className={bad ? "bad" : undefined}>
        {bad && <Icon name="error" small />}
        {value}
      </dd>
    </div>
  );
}

/** Sessions whose window is above safe, the fullest first. */
function Alerts() {
  const sessions = useSessions({ status: "open" });
  const full = (sessions.data?.pages.flatMap((page) => page.sessions) ?? []).filter((session) => session.zone !== "safe").sort((a, b) => (b.usage ?? 0) - (a.usage ?? 0));
  return (
    <Box title="Alerts" of={sessions} right={full.length > 0 && counted(full.length, "session")}>
      {() =>
        full.length === 0 ? (
          <Empty title="No window is near its limit">Open sessions at 70 % and more will show here.</Empty>
        ) : (
          <div className="table-box" tabIndex={0}>
            <table className="table">
              <thead>
                <tr>
                  <th>Session</th>
                  <th>Zone</th>
                  <th className="num">Usage</th>
                  <th>Last activity</th>
                </tr>
              </thead>
              <tbody>
                {full.slice(0, 12).map((session) => (
                  <tr key={session.session}>
                    <td className="cut">
                      <Link className="link" to={`/sessions/${session.session}`}>
                        {session.title ?? shortId(session.session)}
                      </Link>
                    </td>
                    <td>
                      <span className={`tag ${session.zone}`}>{session.zone}</span>
                    </td>
                    <td className="num">{percent(session.usage ?? 0)}</td>
                    <td>{ago(session.last_activity)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )
      }
    </Box>
  );
}

function Activity() {
  const since = new Date(Math.floor(Date.now() / DAY) * DAY - (DAYS - 1) * DAY).toISOString();
  const activity = useActivity(since);
  const days = activity.data?.days ?? [];
  const sum = (of: (day: (typeof days)[number]) => number) => days.reduce((total, day) => total + of(day), 0);
  return (
    <Box
      title="Activity"
      wide
      of={activity}
      right={
        <>
          {counted(sum((day) => day.events), "event")} · {counted(sum((day) => day.model_calls), "call")} · {count(sum((day) => day.input_tokens + day.output_tokens))} tokens · {money(sum((day) => day.cost_usd))} in {DAYS} days
        </>
      }
    >
      {(found) => <ActivityChart days={found.days} since={since} length={DAYS} />}
    </Box>
  );
}

function Jobs() {
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

function bytes(size: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, size)) / 3));
  return `${(size / 1000 ** power).toFixed(power ? 1 : 0)} ${units[power]}`;
}

function Projections() {
  const projections = useProjections();
  const aside = useSetAside();
  const events = aside.data?.events ?? [];
  return (
    <Box title="Projections" of={projections} right={events.length > 0 && <span className="tag critical">{counted(events.length, "event")} set aside</span>}>
      {(found) => (
        <div className="table-box" tabIndex={0}>
          <table className="table">
            <thead>
              <tr>
                <th>Name</th>
                <th>Kind</th>
                <th className="num">Rows</th>
                <th className="num">Size</th>
                <th>State</th>
              </tr>
            </thead>
            <tbody>
              {found.projections.map((one) => (
                <tr key={one.name}>
                  <td>{one.name}</td>
                  <td className="text-2">{one.kind}</td>
                  <td className="num">{one.rows === null ? "–" : count(one.rows)}</td>
                  <td className="num">{one.bytes === null ? "–" : bytes(one.bytes)}</td>
                  <td>{one.behind ? <span className="tag warning">{counted(one.behind, "event")} behind</span> : <span className="text-2">up to date</span>}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {events.length > 0 && (
            <ul className="aside-list">
              {events.map((event) => (
                <li key={`${event.projection} ${event.position}`}>
                  <b>{event.projection}</b> {event.type}{" "}
                  <Link className="link" to={`/sessions/${event.session}?v=${event.version}`}>
                    {shortId(event.session)} v{event.version}
                  </Link>
                  : {event.reason}
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
    </Box>
  );
}

function Keys() {
  const keys = useKeyList();
  return (
    <Box title="Keys" of={keys} right={keys.data && counted(keys.data.found.filter((key) => key.valid).length, "valid key")}>
      {(found) =>
        found.found.length === 0 ? (
          <Empty title="There are no keys" command="backstory keys make --name page --action read">
            Without keys, the service answers on this machine alone.
          </Empty>
        ) : (
          <div className="table-box" tabIndex={0}>
            <table className="table">
              <thead>
                <tr>
                  <th>Name</th>
                  <th>May</th>
                  <th>Projects</th>
                  <th>Last used</th>
                  <th>Expires</th>
                  <th>State</th>
                </tr>
              </thead>
              <tbody>
                {found.found.map((key) => (
                  <tr key={key.prefix}>
                    <td>
                      {key.name} <code className="text-3">{key.prefix}…</code>
                    </td>
                    <td>{key.action}</td>
                    <td className="text-2">
                      {key.projects?.join(", ") ?? "all"}
                      {key.agent && `, as ${key.agent}`}
                    </td>
                    <td>{key.last_used ? ago(key.last_used) : "never"}</td>
                    <td>{key.expires_at ? moment(key.expires_at) : "never"}</td>
                    <td>{key.valid ? <span className="tag safe">valid</span> : <span className="tag">{key.revoked_at ? "revoked" : "expired"}</span>}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )
      }
    </Box>
  );
}

function Retention() {
  const retention = useRetention();
  return (
    <Box title="Retention" of={retention}>
      {(found) =>
        found.rules.length === 0 ? (
          <Empty title="Everything is kept" command="backstory retention set --project orders-api --erase-after 365">
            Rules that remove or erase old sessions will show here.
          </Empty>
        ) : (
          <div className="table-box" tabIndex={0}>
            <table className="table">
              <thead>
                <tr>
                  <th>Project</th>
                  <th>Does</th>
                  <th>After</th>
                  <th>Memories</th>
                  <th>Set</th>
                </tr>
              </thead>
              <tbody>
                {found.rules.map((rule) => (
                  <tr key={`${rule.project} ${rule.set_at}`}>
                    <td>{rule.project}</td>
                    <td>{rule.action}</td>
                    <td>{rule.after_days === null ? "–" : counted(rule.after_days, "day")}</td>
                    <td>{rule.keeps_memories ? "kept" : "removed too"}</td>
                    <td title={moment(rule.set_at)}>
                      {ago(rule.set_at)}
                      {rule.set_by && ` by ${rule.set_by}`}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )
      }
    </Box>
  );
}

function Calls() {
  const calls = useCalls();
  return (
    <Box title="Trail of calls" of={calls} right="refused, or with the right to operate">
      {(found) =>
        found.calls.length === 0 ? (
          <Empty title="Nothing yet">Refused calls, and those that need the right to operate, will show here.</Empty>
        ) : (
          <div className="table-box" tabIndex={0}>
            <table className="table">
              <thead>
                <tr>
                  <th>When</th>
                  <th>Operation</th>
                  <th>Caller</th>
                  <th className="num">Status</th>
                </tr>
              </thead>
              <tbody>
                {found.calls.map((call) => (
                  <tr key={call.id}>
                    <td title={moment(call.called_at)}>{ago(call.called_at)}</td>
                    <td>{call.operation}</td>
                    <td className="text-2">{call.caller ?? "without a key"}</td>
                    <td className="num">{call.status}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )
      }
    </Box>
  );
}
