import { useVirtualizer } from "@tanstack/react-virtual";
import { useRef } from "react";
import { Icon } from "../parts/Icon";
import { VersionLink } from "../parts/VersionLink";
import { count } from "../parts/format";
import { itemIcon } from "../parts/itemIcons";
import type { Fate } from "./fates";
import "./FateTable.css";

const ROW = 30;

interface Props {
  session: string;
  fates: Fate[];
  /** The version at which later steps used an item, and the names. */
  used: Map<number, string>;
}

/** Each item of the window with what became of it. */
export function FateTable({ session, fates, used }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({ count: fates.length, getScrollElement: () => box.current, estimateSize: () => ROW, overscan: 12, initialRect: { width: 0, height: 600 } });
  const shown = rows.getVirtualItems();
  const above = shown[0]?.start ?? 0;
  const below = rows.getTotalSize() - (shown.at(-1)?.end ?? 0);
  return (
    <div className="fate-table scroll" ref={box} tabIndex={0} role="region" aria-label="Items of the window">
      <table className="table" aria-rowcount={fates.length + 1}>
        <thead>
          <tr>
            <th>Version</th>
            <th>Item</th>
            <th>Disposition</th>
            <th className="num">Before</th>
            <th className="num">After</th>
            <th>Used later</th>
          </tr>
        </thead>
        <tbody>
          {above > 0 && <tr className="space" style={{ height: above }} />}
          {shown.map(({ index }) => {
            const { item, disposition, before, after } = fates[index]!;
            return (
              <tr key={item.item} className={disposition} aria-rowindex={index + 2}>
                <td>
                  <VersionLink session={session} version={item.item} />
                </td>
                <td className="told" title={item.text ?? undefined}>
                  <span>
                    <Icon name={itemIcon(item.type)} small />
                    {lineOf(item.text) || item.type}
                  </span>
                </td>
                <td>
                  <span className="disposition">
                    <span className="swatch" />
                    {disposition}
                  </span>
                </td>
                <td className="num text-2">{count(before)}</td>
                <td className="num">{after === null ? "–" : count(after)}</td>
                <td className="text-2 why">{used.get(item.item) ?? ""}</td>
              </tr>
            );
          })}
          {below > 0 && <tr className="space" style={{ height: below }} />}
        </tbody>
      </table>
    </div>
  );
}

const lineOf = (text: string | null) => (text ?? "").slice(0, 300).replace(/\s+/g, " ").trim();
