import { Link } from "../address/Link";
import { useFeed, useReadiness, useVerifyAll } from "../api/operations";
import { Icon } from "../parts/Icon";
import { Problem } from "../parts/States";
import { count, counted, shortId } from "../parts/format";
import { Box } from "./Box";

/** Health of the service, and a check of every chain. */
export function Health() {
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
