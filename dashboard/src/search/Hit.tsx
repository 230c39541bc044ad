import { Link } from "../address/Link";
import { withParams } from "../address/address";
import type { SearchHitDocument } from "../api/schema";
import { Icon } from "../parts/Icon";
import { ago, count, moment, shortId } from "../parts/format";
import { itemIcon } from "../parts/itemIcons";
import { runsOf } from "./snippet";
import "./Hit.css";

interface Props {
  hit: SearchHitDocument;
  /** The title of its session, where it is known. */
  title: string | null | undefined;
  /** Its score beside that of the best. */
  share: number;
}

/** One item that was found. It leads to the item, at the time when it was recorded. */
export function Hit({ hit, title, share }: Props) {
  const to = hit.project === null ? withParams(`/sessions/${hit.session}`, { v: hit.item, item: hit.item }) : withParams("/memory", { project: hit.project, memory: hit.item });
  return (
    <li className="hit">
      <Link to={to}>
        <div className="about">
          <Icon name={itemIcon(hit.project === null ? hit.type : "memory")} small />
          <b>{hit.speaker ?? hit.type.replaceAll("_", " ")}</b>
          {hit.speaker && <span>{hit.type.replaceAll("_", " ")}</span>}
          <span className="of cut">{hit.project === null ? (title ?? shortId(hit.session)) : `memory of ${hit.project}`}</span>
          {hit.abandoned && <span className="tag">abandoned</span>}
          <span className="right">
            <span className="mono">v{hit.item}</span>
            <span>{count(hit.tokens)} tokens</span>
            <time dateTime={hit.at} title={moment(hit.at)}>
              {ago(hit.at)}
            </time>
            <span className="score" title="Its rank beside that of the best">
              <i style={{ width: `${share * 100}%` }} />
            </span>
          </span>
        </div>
        <p>{runsOf(hit.snippet, hit.marks as [number, number][]).map((run, place) => (run.marked ? <mark key={place}>{run.text}</mark> : run.text))}</p>
      </Link>
    </li>
  );
}
