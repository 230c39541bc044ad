import { useState } from "react";
import type { DiffDocument, ItemDocument } from "../api/schema";
import { Icon } from "../parts/Icon";
import { VersionLink } from "../parts/VersionLink";
import { count } from "../parts/format";
import { itemIcon } from "../parts/itemIcons";
import "./ChangedItems.css";

const MOST = 500;

interface Props {
  session: string;
  diff: DiffDocument;
}

const SIGNS = { out: "−", in: "+", changed: "~" } as const;
type Change = keyof typeof SIGNS;

/** Items that left, came or changed. */
export function ChangedItems({ session, diff }: Props) {
  const [only, setOnly] = useState<Change | null>(null);
  const groups: [Change, ItemDocument[]][] = [
    ["out", diff.items_out],
    ["in", diff.items_in],
    ["changed", diff.items_changed],
  ];
  const rows = groups.flatMap(([change, items]) => (only === null || only === change ? items.map((item) => ({ change, item })) : []));
  return (
    <section className="box changed-items" aria-label="Items">
      <header>
        <h2>Items</h2>
        <span className="segments">
          <button aria-pressed={only === null} onClick={() => setOnly(null)}>
            All {count(groups.reduce((sum, [, items]) => sum + items.length, 0))}
          </button>
          {groups.map(
            ([change, items]) =>
              items.length > 0 && (
                <button key={change} aria-pressed={only === change} onClick={() => setOnly(change)}>
                  {change} {count(items.length)}
                </button>
              ),
          )}
        </span>
        <span className="right">tokens</span>
      </header>
      <ul className="scroll" tabIndex={0} aria-label="Changed items">
        {rows.slice(0, MOST).map(({ change, item }) => (
          <li key={`${change} ${item.item}`} className={change}>
            <b>
              <span aria-hidden="true">{SIGNS[change]}</span>
              <span className="for-readers">{change}</span>
            </b>
            <VersionLink session={session} version={item.item} />
            <Icon name={itemIcon(item.type)} small />
            <span className="cut" title={item.text ?? undefined}>
              {lineOf(item)}
            </span>
            <span className="num">{count(item.tokens)}</span>
          </li>
        ))}
        {rows.length > MOST && <li className="rest">{count(rows.length - MOST)} more</li>}
        {!rows.length && <li className="rest">No item differs.</li>}
      </ul>
    </section>
  );
}

function lineOf(item: ItemDocument): string {
  const text = (item.text ?? "").slice(0, 300).replace(/\s+/g, " ").trim();
  const who = item.type === "message" ? (item.agent ?? item.role) : null;
  return [who, text || item.type.replaceAll("_", " ")].filter(Boolean).join(": ");
}
