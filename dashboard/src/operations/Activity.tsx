import { useActivity } from "../api/operations";
import { count, counted, money } from "../parts/format";
import { ActivityChart } from "./ActivityChart";
import { Box } from "./Box";

const DAY = 86_400_000;
const DAYS = 30;

/** Events, calls and costs of the last days. */
export function Activity() {
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
