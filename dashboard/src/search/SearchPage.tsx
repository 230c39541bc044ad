/** Search over everything that was recorded, in the window or not, and the jump to its place in time. */
import { useEffect, useRef } from "react";
import { setParams, useAddress } from "../address/address";
import { Icon } from "../parts/Icon";
import { Empty, Problem, Skeleton } from "../parts/States";
import { counted } from "../parts/format";
import { Hit } from "./Hit";
import { useSearch, useTitles } from "./queries";
import "./SearchPage.css";

const TYPES = ["message", "tool_exchange", "decision", "goal", "question", "action", "constraint", "task", "code", "error", "summary", "artifact"];
/** Milliseconds that one who types must rest. */
const REST = 250;

export function SearchPage() {
  const { params } = useAddress();
  const asked = {
    query: (params.get("q") ?? "").trim(),
    session: params.get("session"),
    project: params.get("project"),
    type: params.get("type"),
    speaker: params.get("speaker"),
    abandoned: params.get("abandoned") === "true",
  };
  const found = useSearch(asked);
  const hits = found.data?.pages.flatMap((page) => page.hits) ?? [];
  const warning = found.data?.pages[0]?.warning;
  const best = Math.max(0, ...hits.map((hit) => hit.score));
  const sessions = [...new Set(hits.filter((hit) => hit.project === null).map((hit) => hit.session))];
  const titles = useTitles(asked.session ? [...new Set([asked.session, ...sessions])] : sessions);
  return (
    <main className="whole search-page">
      <div className="width">
        <h1 className="for-readers">Search</h1>
        <div className="filters">
          <TypedField name="q" label="Search for" value={asked.query} placeholder="Words, names, files, or a question" wide />
          {asked.session && (
            <button className="chip" aria-pressed="true" onClick={() => setParams({ session: null })} title="Search everywhere">
              in {titles.get(asked.session) ?? "this session"} <Icon name="close" small />
            </button>
          )}
          {asked.project && (
            <button className="chip" aria-pressed="true" onClick={() => setParams({ project: null })} title="Search all projects">
              project {asked.project} <Icon name="close" small />
            </button>
          )}
          <label className="field compact">
            <select aria-label="Type" value={asked.type ?? ""} onChange={(event) => setParams({ type: event.target.value }, { replace: true })}>
              <option value="">All types</option>
              {TYPES.map((type) => (
                <option key={type} value={type}>
                  {type.replaceAll("_", " ")}
                </option>
              ))}
            </select>
          </label>
          <TypedField name="speaker" label="Speaker" value={asked.speaker ?? ""} placeholder="Anyone" />
          <button className="chip" aria-pressed={asked.abandoned} onClick={() => setParams({ abandoned: !asked.abandoned }, { replace: true })}>
            Branches that were left
          </button>
        </div>
        {warning && <p className="warning">Words alone were compared: {warning}</p>}
        {asked.query === "" ? (
          <Empty title="Everything that was recorded can be found" command='backstory search "how long do tokens live"'>
            What a compaction took out of a window is found like what is in it.
          </Empty>
        ) : found.error ? (
          <Problem title="The search failed." error={found.error} retry={() => void found.refetch()} />
        ) : !found.data ? (
          <Skeleton rows={8} />
        ) : hits.length === 0 ? (
          <Empty title="Nothing matches">Fewer words or fewer filters find more.</Empty>
        ) : (
          <section className={found.isPlaceholderData ? "box stale" : "box"} aria-label="Results">
            <header>
              <h2>{counted(hits.length, found.hasNextPage ? "best match" : "match", "es")}</h2>
              <span className="right">best first</span>
            </header>
            <ul>
              {hits.map((hit) => (
                <Hit key={`${hit.session} ${hit.item}`} hit={hit} title={titles.get(hit.session)} share={best > 0 ? Math.max(0, hit.score) / best : 0} />
              ))}
            </ul>
          </section>
        )}
        {found.hasNextPage && !found.isPlaceholderData && (
          <button className="button more" disabled={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
            More
          </button>
        )}
      </div>
    </main>
  );
}

interface TypedProps {
  name: string;
  label: string;
  value: string;
  placeholder: string;
  wide?: boolean;
}

/** A field whose text is taken over when one rests. */
function TypedField({ name, label, value, placeholder, wide }: TypedProps) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => () => clearTimeout(timer.current), []);
  // What the address says is shown, except to one who is typing.
  useEffect(() => {
    if (input.current && document.activeElement !== input.current) input.current.value = value;
  }, [value]);

  function type(text: string) {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setParams({ [name]: text.trim() }, { replace: true }), REST);
  }

  return (
    <label className={wide ? "field compact wide" : "field compact"}>
      {wide && <Icon name="search" small />}
      <input ref={input} defaultValue={value} placeholder={placeholder} aria-label={label} onChange={(event) => type(event.target.value)} autoFocus={wide} />
    </label>
  );
}
