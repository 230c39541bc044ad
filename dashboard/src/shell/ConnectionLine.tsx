import { useEffect, useState } from "react";
import { useConnection } from "../api/live";
import { Icon } from "../parts/Icon";
import { ago } from "../parts/format";
import "./ConnectionLine.css";

/** A line that says so when live updates do not come. */
export function ConnectionLine() {
  const { state, lastAt } = useConnection();
  const [, tick] = useState(0);
  const lost = state === "lost";
  useEffect(() => {
    if (!lost) return;
    const timer = setInterval(() => tick((n) => n + 1), 1000);
    return () => clearInterval(timer);
  }, [lost]);
  if (!lost) return null;
  return (
    <div className="connection-line" role="status">
      <Icon name="clock" small />
      <span>
        <b>Not live.</b> {lastAt === null ? "There was no update yet." : `Last update ${ago(lastAt)}.`} Trying again.
      </span>
    </div>
  );
}
