import { useEvents } from "../api/events";
import { eventIcon, titleOf } from "../events/words";
import { minutes } from "../parts/format";
import { Icon } from "../parts/Icon";

/** The event after the version that is looked at: it has not happened yet. */
export function NextEvent({ session, version }: { session: string; version: number }) {
  const next = useEvents(session, [version + 1]).data?.[0];
  if (!next) return null;
  return (
    <div className="entry ghost">
      <span className="version">v{next.version}</span>
      <i className="rail stored" />
      <div className="card">
        <header>
          <Icon name={eventIcon(next)} small />
          <span className="cut grow">Next: {titleOf(next)}</span>
          <span className="right">{minutes(next.occurred_at)}</span>
        </header>
      </div>
    </div>
  );
}
