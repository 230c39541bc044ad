/** What is in the window at a version: its tiers, its agents, its items. */
import { setParams, useAddress } from "../address/address";
import type { StateDocument } from "../api/schema";
import type { WindowItem } from "../api/sessions";
import { Avatar } from "../parts/Avatar";
import { count } from "../parts/format";
import { ContextItemList } from "./ContextItemList";
import { ContextTierChart, type Tier } from "./ContextTierChart";
import { byAgent, byTier } from "./standing";
import "./ContextPanel.css";

interface Props {
  state: StateDocument;
  /** The items of the window. */
  items: WindowItem[];
  window: string;
  /** The state of another version is on its way. */
  stale?: boolean;
}

const AGENTS = 6;

export function ContextPanel({ state, items, window, stale }: Props) {
  const { params } = useAddress();
  const shown = state.windows[window];
  const limit = shown?.limit ?? null;
  const agents = byAgent(items);
  const most = Math.max(1, ...agents.map((agent) => agent.tokens));
  const tier = params.get("tier") as Tier | null;
  const agent = params.get("agent");
  return (
    <aside className="pane context-panel" aria-label="Context" data-stale={stale || undefined}>
      <div className="figures">
        <div className="row">
          <h2>Context window</h2>
          <Windows state={state} current={window} />
          <span className="grow" />
          <span className="text-2 size">
            <b>{count(shown?.tokens ?? 0)}</b> {limit === null ? "tokens, no limit" : `of ${count(limit)}`}
          </span>
        </div>
        <ContextTierChart tiers={byTier(items)} limit={limit} chosen={tier} choose={(to) => setParams({ tier: to }, { replace: true })} />
      </div>
      {agents.length > 0 && (
        <div className="by-agent">
          <div className="section-head">
            By agent <span className="right">tokens in the window</span>
          </div>
          <ul>
            {agents.slice(0, AGENTS).map((one) => (
              <li key={one.name}>
                <button
                  aria-pressed={agent === one.name}
                  title={agent === one.name ? "Show all agents" : `Show only ${one.name}`}
                  onClick={() => setParams({ agent: agent === one.name ? null : one.name }, { replace: true })}
                >
                  <Avatar name={one.name} person={one.person} />
                  <span className="cut">{one.name}</span>
                  <span className="bar">
                    <i style={{ width: `${(one.tokens / most) * 100}%` }} />
                  </span>
                  <span className="num text-2">{count(one.tokens)}</span>
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
      <ContextItemList session={state.session} items={items} now={state.last_activity} version={state.version} />
    </aside>
  );
}

function Windows({ state, current }: { state: StateDocument; current: string }) {
  const names = Object.keys(state.windows);
  if (names.length < 2) return null;
  return (
    <label className="field compact">
      <select aria-label="Window" value={current} onChange={(event) => setParams({ window: event.target.value === "main" ? null : event.target.value })}>
        {names.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </label>
  );
}
