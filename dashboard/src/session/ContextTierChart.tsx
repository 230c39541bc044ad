import { count, percent } from "../parts/format";
import type { TierSum } from "./standing";
import "./ContextTierChart.css";

export type Tier = TierSum["tier"];

interface Props {
  tiers: TierSum[];
  limit: number | null;
  /** The tier that the list shows, or null for all. */
  chosen: Tier | null;
  choose: (tier: Tier | null) => void;
}

/** The window by tier: as a bar of its limit, and in numbers. A click filters the list. */
export function ContextTierChart({ tiers, limit, chosen, choose }: Props) {
  const used = tiers.reduce((total, tier) => total + tier.tokens, 0);
  const whole = Math.max(limit ?? used, used, 1);
  return (
    <div className="tier-chart">
      <div className="tier-bar" role="img" aria-label={tiers.map((tier) => `${tier.tier} ${count(tier.tokens)} tokens`).join(", ")}>
        {tiers.map((tier) => (
          <i
            key={tier.tier}
            className={`${tier.tier.toLowerCase()}${chosen && chosen !== tier.tier ? " other" : ""}`}
            style={{ width: `${(tier.tokens / whole) * 100}%` }}
            title={`${tier.tier}: ${count(tier.tokens)} tokens`}
            hidden={!tier.tokens}
          />
        ))}
        {limit !== null && <span className="free" />}
      </div>
      {limit !== null && (
        <div className="tier-scale" aria-hidden="true">
          <span style={{ left: "70%" }}>70</span>
          <span style={{ left: "85%" }}>85</span>
          <span style={{ left: "95%" }}>95 %</span>
        </div>
      )}
      <table className="tiers">
        <thead className="for-readers">
          <tr>
            <th scope="col">Tier</th>
            <th scope="col">Items</th>
            <th scope="col">Tokens</th>
            <th scope="col">{limit === null ? "Share of the window" : "Share of the limit"}</th>
          </tr>
        </thead>
        <tbody>
          {tiers.map((tier) => (
            <tr key={tier.tier} className={tier.tier.toLowerCase()}>
              <td>
                <button
                  aria-pressed={chosen === tier.tier}
                  title={chosen === tier.tier ? "Show all tiers" : `Show only ${tier.tier}`}
                  onClick={() => choose(chosen === tier.tier ? null : tier.tier)}
                >
                  <span className="swatch" />
                  <b>{tier.tier}</b>
                </button>
              </td>
              <td className="num">{count(tier.items)}</td>
              <td className="num">{count(tier.tokens)}</td>
              <td className="num share">{percent(tier.tokens / whole)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
