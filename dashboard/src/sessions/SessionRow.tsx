import { memo } from "react";
import { go } from "../address/address";
import { Link } from "../address/Link";
import type { ListedSessionDocument } from "../api/schema";
import { Avatars } from "../parts/Avatar";
import { ago, count, counted, limitText, moment, money, percent, shortId } from "../parts/format";
import { Meter } from "../parts/Meter";
import { Spark } from "../parts/Spark";

interface Props {
  session: ListedSessionDocument;
  live: boolean;
  chosen: boolean;
}

export const SessionRow = memo(function SessionRow({ session, live, chosen }: Props) {
  const to = `/sessions/${session.session}`;
  const ended = session.status !== "open";
  const state = live ? "live" : ended ? "ended" : "idle";
  const names = session.agents.filter((name) => name !== "user");
  return (
    <tr
      id={`row-${session.session}`}
      className={ended ? "ended" : undefined}
      aria-selected={chosen}
      onClick={(event) => {
        if (!(event.target as Element).closest("a") && !getSelection()?.toString()) go(to);
      }}
    >
      <td className="state">
        <i className={`dot ${live ? "on" : ended ? "hollow" : ""}`} title={state} />
      </td>
      <td className="title">
        <Link to={to}>{session.title ?? "Without a title"}</Link>
        <small>
          {shortId(session.session)} · {counted(session.version, "version")}
          {session.tags.map((tag) => (
            <span key={tag}> · {tag}</span>
          ))}
        </small>
      </td>
      <td className="hide-small text-2">{session.project ?? "–"}</td>
      <td className="hide-small text-2">
        <span className="row">
          <Avatars names={session.agents} most={3} />
          {names.length === 1 ? names[0] : names.length > 1 && counted(names.length, "agent")}
        </span>
      </td>
      <td className="hide-medium">
        <Spark session={session} />
      </td>
      <td>
        <span className="use">
          {session.token_limit === null ? (
            <span className="text-3">no limit</span>
          ) : (
            <>
              <Meter tokens={session.tokens} limit={session.token_limit} zone={session.zone} ended={ended} />
              <span className="num">{percent(session.usage ?? 0)}</span>
              {session.zone !== "safe" && !ended && <span className={`tag ${session.zone}`}>{session.zone}</span>}
            </>
          )}
        </span>
      </td>
      <td className="num hide-small">
        {count(session.tokens)}
        {session.token_limit !== null && <span className="text-3 limit"> / {limitText(session.token_limit)}</span>}
      </td>
      <td className="num hide-small">{session.cost_usd > 0 ? money(session.cost_usd) : "–"}</td>
      <td className="nowrap" title={moment(session.last_activity)}>
        {ago(session.last_activity)}
      </td>
      <td className="hide-small">
        {live ? (
          <span className="live-mark">
            <i className="dot on" />
            live
          </span>
        ) : (
          <span className="text-2">{state}</span>
        )}
      </td>
    </tr>
  );
});
