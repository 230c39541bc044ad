import type { ActivityDocument } from "../api/schema";
import { counted, money } from "../parts/format";

interface Props {
  days: ActivityDocument[];
  since: string;
  length: number;
}

const DAY = 86_400_000;

/** Events per day as columns. */
export function ActivityChart({ days, since, length }: Props) {
  const begin = new Date(since).getTime();
  const sums = Array.from({ length }, (_, place) => {
    const date = new Date(begin + place * DAY).toISOString().slice(0, 10);
    const found = days.filter((day) => day.day.startsWith(date));
    return {
      date,
      events: found.reduce((sum, day) => sum + day.events, 0),
      calls: found.reduce((sum, day) => sum + day.model_calls, 0),
      cost: found.reduce((sum, day) => sum + day.cost_usd, 0),
    };
  });
  const most = Math.max(1, ...sums.map((day) => day.events));
  return (
    <ol className="activity" aria-label="Events per day">
      {sums.map((day) => (
        <li key={day.date} title={`${day.date}: ${counted(day.events, "event")}, ${counted(day.calls, "call")}, ${money(day.cost)}`}>
          <i style={{ height: `${Math.max(day.events ? 4 : 1, (day.events / most) * 100)}%` }} className={day.events ? undefined : "none"} />
          <span className="for-readers">
            {day.date}: {counted(day.events, "event")}
          </span>
        </li>
      ))}
    </ol>
  );
}
