import { VersionLink } from "../parts/VersionLink";
import { Loaded } from "../parts/States";
import { count, money, moment } from "../parts/format";
import { useCalls } from "./queries";
import "./CallTable.css";

const tokens = (value: number | null) => (value === null ? "–" : count(value));

/** The calls of models, the newest first, with their tokens and their cost. */
export function CallTable({ session }: { session: string }) {
  const calls = useCalls(session);
  return (
    <Loaded of={calls} what="The calls">
      {(found) => (
        <div className="call-table scroll" tabIndex={0} role="region" aria-label="Calls">
          <table className="table">
            <thead>
              <tr>
                <th>Version</th>
                <th>Time</th>
                <th>Agent</th>
                <th>Model</th>
                <th className="num">In</th>
                <th className="num">From the cache</th>
                <th className="num">Out</th>
                <th className="num">Seconds</th>
                <th className="num">Cost</th>
                <th>Prompt</th>
              </tr>
            </thead>
            <tbody>
              {found.pages
                .flatMap((page) => page.calls)
                .map((call) => (
                  <tr key={call.version} className={call.live ? undefined : "left"}>
                    <td>
                      <VersionLink session={session} version={call.version} />
                    </td>
                    <td className="text-2">{moment(call.at)}</td>
                    <td>{call.actor ?? "–"}</td>
                    <td>{call.error ? <span className="failed" title={call.error}>{call.model}, failed</span> : call.model}</td>
                    <td className="num">{tokens(call.input_tokens)}</td>
                    <td className="num text-2">{tokens(call.cached_tokens)}</td>
                    <td className="num">{tokens(call.output_tokens)}</td>
                    <td className="num text-2">{call.latency_ms === null ? "–" : (call.latency_ms / 1000).toFixed(1)}</td>
                    <td className="num">{call.cost_usd === null ? "–" : money(call.cost_usd)}</td>
                    <td>{call.assembly === null ? <span className="text-3">not recorded</span> : <VersionLink session={session} version={call.assembly} view="prompts" />}</td>
                  </tr>
                ))}
            </tbody>
          </table>
          {calls.hasNextPage && (
            <button className="button more" disabled={calls.isFetchingNextPage} onClick={() => void calls.fetchNextPage()}>
              Earlier calls
            </button>
          )}
        </div>
      )}
    </Loaded>
  );
}
