import { setParams, withParams } from "../address/address";
import { Link } from "../address/Link";
import type { MemoryDocument } from "../api/schema";
import { ago, count, moment, shortId } from "../parts/format";
import { Icon } from "../parts/Icon";
import { Markdown } from "../parts/Markdown";

/** One memory, with where it comes from. */
export function MemoryCard({ memory, whole }: { memory: MemoryDocument; whole?: boolean }) {
  const gone = memory.left_at !== null;
  const text = memory.text ?? "";
  // A short memory without a title is its own title.
  const isTitle = memory.title === null && memory.text !== null && text.length <= LINE && !text.includes("\n");
  return (
    <li className={gone ? "box memory gone" : "box memory"}>
      <header>
        <Icon name="memory" small />
        <h2>
          {whole ? (
            (memory.title ?? sentence(text))
          ) : (
            <button onClick={() => setParams({ memory: memory.id })}>{memory.title ?? sentence(text)}</button>
          )}
        </h2>
        <span className="right">
          <span className="tag">{memory.kind}</span>
          {memory.superseded_by !== null ? <span className="tag dashed">superseded by {memory.superseded_by}</span> : gone && <span className="tag dashed">forgotten</span>}
          {memory.agent && <span>{memory.agent}</span>}
          <span title={moment(memory.at)}>{ago(memory.at)}</span>
        </span>
      </header>
      {!isTitle && <div className="memory-text">
        {memory.text === null ? <p className="text-3">This text was erased.</p> : <Markdown text={whole || text.length < 420 ? text : `${text.slice(0, 400)}…`} />}
      </div>}
      {(memory.sources.length > 0 || memory.entities.length > 0) && (
        <footer>
          {memory.sources.map((source) => (
            <span key={source.session}>
              from{" "}
              <Link className="link" to={withParams(`/sessions/${source.session}`, { item: source.items[0] })}>
                {shortId(source.session)}
                {source.items.length > 0 && ` v${source.items.slice(0, 3).map(count).join(", ")}${source.items.length > 3 ? " …" : ""}`}
              </Link>
            </span>
          ))}
          {memory.entities.slice(0, 8).map((entity) => (
            <span key={entity} className="tag">
              {entity}
            </span>
          ))}
        </footer>
      )}
    </li>
  );
}

/** The longest text that stands in a heading. */
const LINE = 140;

/** The first line of a text without a title. */
function sentence(text: string): string {
  const line = text.split("\n", 1)[0] ?? "";
  return line.length > LINE ? `${line.slice(0, LINE)}…` : line || "erased";
}
