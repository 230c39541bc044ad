/** The items of a window as rows. Only the rows in sight exist, and only their texts are read. */
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from "react";
import { setParams, useAddress } from "../address/address";
import { useBeginnings } from "../api/events";
import type { WindowItem } from "../api/sessions";
import { age, count } from "../parts/format";
import { Icon } from "../parts/Icon";
import { Empty } from "../parts/States";
import { iconOf, titleOf } from "../events/words";
import type { Tier } from "./ContextTierChart";
import { ownerOf } from "./standing";
import "./ContextItemList.css";

interface Props {
  session: string;
  items: WindowItem[];
  /** The time that ages are counted from. */
  now: string;
  version: number;
}

type Column = "score" | "tokens" | "uses" | "age";

const COLUMNS: { name: Column; title: string; label: string }[] = [
  { name: "score", label: "Score", title: "Importance, accesses and age, from 0 to 1" },
  { name: "tokens", label: "Tokens", title: "Tokens as shown in the window" },
  { name: "uses", label: "Uses", title: "Times it was accessed" },
  { name: "age", label: "Age", title: "Time since it was added" },
];

const VALUES: Record<Column, (item: WindowItem) => number> = {
  score: (item) => item.score,
  tokens: (item) => item.tokens,
  uses: (item) => item.accesses,
  age: (item) => item.item,
};

const ROW = 27;
const TIERS: Tier[] = ["HOT", "WARM", "COLD"];
/** Milliseconds that a new row is marked. */
const NEW = 2500;

export function ContextItemList({ session, items, now, version }: Props) {
  const { params } = useAddress();
  const [column, setColumn] = useState<Column>("score");
  const [ascending, setAscending] = useState(false);
  const [filtering, setFiltering] = useState(false);
  const scroller = useRef<HTMLDivElement>(null);
  const tier = params.get("tier");
  const type = params.get("type");
  const agent = params.get("agent");
  const chosen = Number(params.get("item")) || null;

  const others = useMemo(() => items.filter((item) => (!type || item.type === type) && (!agent || ownerOf(item) === agent)), [items, type, agent]);
  const rows = useMemo(() => {
    const value = VALUES[column];
    const sign = ascending ? 1 : -1;
    return others.filter((item) => !tier || item.tier === tier).sort((a, b) => sign * (value(a) - value(b)) || b.item - a.item);
  }, [others, tier, column, ascending]);

  const virtual = useVirtualizer({ count: rows.length, getScrollElement: () => scroller.current, estimateSize: () => ROW, overscan: 8 });
  const seen = virtual.getVirtualItems();
  const title = useBeginnings(session, seen.flatMap((row) => rows[row.index]?.item ?? []));
  const fresh = useFresh(items, version);
  const types = useMemo(() => [...new Set(items.map((item) => item.type))].sort(), [items]);
  const agents = useMemo(() => [...new Set(items.map(ownerOf))].sort(), [items]);

  function choose(item: number | null) {
    setParams({ item }, { replace: chosen !== null });
  }
  function press(event: KeyboardEvent, index: number) {
    const to = event.key === "ArrowDown" ? index + 1 : event.key === "ArrowUp" ? index - 1 : null;
    if (to !== null && rows[to]) {
      event.preventDefault();
      event.stopPropagation();
      virtual.scrollToIndex(to);
      requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>(`[data-row="${to}"]`)?.focus());
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      event.stopPropagation();
      choose(rows[index]!.item);
    }
  }

  return (
    <>
      <div className="item-filter">
        <span className="segments" role="group" aria-label="Tier">
          <button aria-pressed={!tier} onClick={() => setParams({ tier: null }, { replace: true })}>
            All <span className="text-3">{count(others.length)}</span>
          </button>
          {TIERS.map((one) => (
            <button key={one} className={one.toLowerCase()} aria-pressed={tier === one} onClick={() => setParams({ tier: tier === one ? null : one }, { replace: true })}>
              <span className="swatch" />
              {one} <span className="text-3">{count(others.filter((item) => item.tier === one).length)}</span>
            </button>
          ))}
        </span>
        <span className="grow" />
        <button className="button quiet compact only-icon" aria-label="Filter by type and agent" title="Filter by type and agent" aria-expanded={filtering || !!type || !!agent} onClick={() => setFiltering(!filtering)}>
          <Icon name="filter" small />
        </button>
      </div>
      {(filtering || type || agent) && (
        <div className="item-filter">
          <Choice label="Type" value={type} values={types} choose={(to) => setParams({ type: to }, { replace: true })} />
          <Choice label="Agent" value={agent} values={agents} choose={(to) => setParams({ agent: to }, { replace: true })} />
        </div>
      )}
      <div className="items-head">
        <span className="name">Item</span>
        {COLUMNS.map((one) => (
          <button
            key={one.name}
            className={one.name}
            title={one.title}
            aria-label={`Sort by ${one.label.toLowerCase()}`}
            aria-pressed={column === one.name}
            onClick={() => (column === one.name ? setAscending(!ascending) : (setColumn(one.name), setAscending(false)))}
          >
            {one.label}
            {column === one.name && (ascending ? " ↑" : " ↓")}
          </button>
        ))}
      </div>
      <div className="items scroll" ref={scroller} role="listbox" aria-label="Items" tabIndex={rows.length ? -1 : undefined}>
        {rows.length === 0 ? (
          <Empty title={items.length ? "No item matches" : "No items yet"} command={items.length ? undefined : 'backstory say last "Hello"'}>
            {items.length ? "Other filters may show some." : "This window is empty. The first message will show here."}
          </Empty>
        ) : (
          <div className="rows" style={{ height: virtual.getTotalSize() }}>
            {seen.map((row) => {
              const item = rows[row.index]!;
              const event = title(item.item);
              return (
                <div
                  key={item.item}
                  data-row={row.index}
                  role="option"
                  aria-selected={item.item === chosen}
                  tabIndex={item.item === chosen || (chosen === null && row.index === 0) ? 0 : -1}
                  className={`item ${item.tier.toLowerCase()}${fresh.has(item.item) ? " new" : ""}`}
                  style={{ transform: `translateY(${row.start}px)` }}
                  onClick={() => choose(item.item === chosen ? null : item.item)}
                  onKeyDown={(key) => press(key, row.index)}
                >
                  <Icon name={iconOf(item.type)} small />
                  <span className="name cut">{event ? titleOf(event) : item.type.replaceAll("_", " ")}</span>
                  <span className="score" style={{ backgroundSize: `${item.score * 26}px 2px` }}>
                    {item.score.toFixed(2)}
                  </span>
                  <span className="tokens">{count(item.tokens)}</span>
                  <span className="uses">{count(item.accesses)}</span>
                  <span className="age">{age(item.at, now)}</span>
                </div>
              );
            })}
          </div>
        )}
      </div>
    </>
  );
}

function Choice({ label, value, values, choose }: { label: string; value: string | null; values: string[]; choose: (value: string | null) => void }) {
  return (
    <label className="field compact grow">
      <select aria-label={label} value={value ?? ""} onChange={(event) => choose(event.target.value || null)}>
        <option value="">{`${label}: all`}</option>
        {values.map((one) => (
          <option key={one} value={one}>
            {one.replaceAll("_", " ")}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Items that came while the list was shown: those above the version that was shown before, for a moment. */
function useFresh(items: WindowItem[], version: number): ReadonlySet<number> {
  const before = useRef(version);
  const [since, setSince] = useState<number | null>(null);
  useEffect(() => {
    const from = before.current;
    before.current = version;
    // A step or two forwards is news; a jump in time is not.
    if (version <= from || version - from > 8) return;
    setSince(from);
    const timer = setTimeout(() => setSince(null), NEW);
    return () => clearTimeout(timer);
  }, [version]);
  return useMemo(() => new Set(since === null ? [] : items.filter((item) => item.item > since).map((item) => item.item)), [items, since]);
}
