/** One item: its text, its numbers, and where it stands. */
import { setParams } from "../address/address";
import { useKeys } from "../address/keys";
import { asCurl, ofSession } from "../api/client";
import { useEvents } from "../api/events";
import { useItem } from "../api/sessions";
import { Entry } from "../entries/Entry";
import { asMarkdown, titleOf } from "../events/words";
import { Copy } from "../parts/Copy";
import { count, moment } from "../parts/format";
import { Icon } from "../parts/Icon";
import { Loaded } from "../parts/States";
import type { Standings } from "./standing";
import "./ItemDetail.css";

interface Props {
  session: string;
  id: number;
  /** The version that the page stands at. */
  version: number;
  standing: Standings;
}

export function ItemDetail({ session, id, version, standing }: Props) {
  const found = useItem(session, version, id);
  const item = found.data;
  const versions = item?.versions.length ? item.versions : [id];
  const events = useEvents(session, versions);
  const close = () => setParams({ item: null }, { replace: true });
  useKeys({ Escape: close });
  const taken = standing.takenBy(id);
  return (
    <section className="item-detail" aria-label={`Item ${id}`}>
      <header className="row">
        <span className="version">v{id}</span>
        <b className="cut grow">{events.data?.[0] ? titleOf(events.data[0]) : "…"}</b>
        <Copy
          choices={[
            { name: "Markdown", text: () => (events.data ?? []).map(asMarkdown).join("\n\n") },
            { name: "JSON", text: () => JSON.stringify({ item: item ?? id, events: events.data }, null, 2) },
            { name: "curl", text: () => asCurl(ofSession(session, "/items/parts"), { item: id }) },
            { name: "Link", text: () => location.href },
          ]}
        />
        <button className="button quiet compact only-icon" aria-label="Close" title="Close (Esc)" onClick={close}>
          <Icon name="close" small />
        </button>
      </header>
      <div className="scroll">
        {item ? (
          <dl>
            <Fact name="Tier" value={item.tier} />
            <Fact name="Score" value={item.score.toFixed(2)} />
            <Fact name="Importance" value={item.importance.toFixed(2)} />
            <Fact name="Tokens" value={item.stub ? `${count(item.shown_tokens)}, a stub of ${count(item.tokens)}` : count(item.tokens)} />
            <Fact name="Accesses" value={count(item.accesses)} />
            <Fact name="Agent" value={item.agent ?? "–"} />
            <Fact name="Origin" value={`${item.origin.replaceAll("_", " ")}, ${item.trust}`} />
            <Fact name="Added" value={moment(item.brought_at)} />
            {item.private && <Fact name="Private" value="only its agent sees it" />}
            {item.flags.length > 0 && <Fact name="Flags" value={item.flags.join(", ")} />}
            {item.references.length > 0 && <Fact name="Refers to" value={item.references.map((one) => `v${one}`).join(", ")} />}
          </dl>
        ) : item === null ? (
          <p className="text-2 gone">
            {taken === undefined ? "Stored. It is not in the window at this version." : `Taken out by the compaction at version ${count(taken)}.`}
          </p>
        ) : null}
        <Loaded of={events} what={`Item ${id}`}>
          {(found) => (
            <ol className="item-text">
              {found
                .filter((event) => event.version === id)
                .map((event) => (
                  <Entry key={event.version} session={session} event={event} results={found.filter((one) => one.type === "tool.answered")} standing={standing} chosen={false} now={version} past />
                ))}
            </ol>
          )}
        </Loaded>
      </div>
    </section>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
