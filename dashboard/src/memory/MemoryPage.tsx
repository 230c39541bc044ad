/** What a project remembers across its sessions. */
import { setParams, useAddress } from "../address/address";
import { useMemories, useRecall, type MemoryFilter } from "../api/memory";
import type { MemoryDocument } from "../api/schema";
import { count } from "../parts/format";
import { Icon } from "../parts/Icon";
import { ProjectPicker, useProject } from "../parts/ProjectPicker";
import { Empty, Loaded } from "../parts/States";
import { MemoryCard } from "./MemoryCard";
import { MemoryDialog } from "./MemoryDialog";
import "./MemoryPage.css";

const KINDS = ["fragment", "note", "preference", "knowledge", "lesson", "decision"];

export function MemoryPage() {
  const { params } = useAddress();
  const project = useProject();
  const words = params.get("q") ?? "";
  const filter: MemoryFilter = { kind: params.get("kind"), past: params.get("past") && "true", candidates: params.get("candidates") && "true" };
  const memories = useMemories(project, filter);
  const recalled = useRecall(project, words, filter);
  const opened = Number(params.get("memory")) || null;
  const listed = memories.data?.pages.flatMap((page) => page.memories) ?? [];
  const shown: MemoryDocument[] = words ? (recalled.data?.found.map((one) => one.memory) ?? []) : listed;
  return (
    <main className="whole">
      <div className="width">
        <div className="page-head">
          <h1>Memory</h1>
          <ProjectPicker />
          <label className="field compact question">
            <Icon name="search" small />
            <input value={words} placeholder="Ask the memory" aria-label="Ask the memory" onChange={(event) => setParams({ q: event.target.value }, { replace: true })} />
          </label>
          <span className="row" role="group" aria-label="Kind">
            <button className="chip" aria-pressed={!filter.kind} onClick={() => setParams({ kind: null })}>
              All
            </button>
            {KINDS.map((kind) => (
              <button key={kind} className="chip" aria-pressed={filter.kind === kind} onClick={() => setParams({ kind: filter.kind === kind ? null : kind })}>
                {kind}
              </button>
            ))}
          </span>
          <span className="separator" />
          <button className="chip" aria-pressed={!!filter.past} title="Also what was superseded or forgotten" onClick={() => setParams({ past: filter.past ? null : "1" })}>
            with past
          </button>
          <button className="chip" aria-pressed={!!filter.candidates} title="What was noticed and waits to be confirmed" onClick={() => setParams({ candidates: filter.candidates ? null : "1" })}>
            candidates
          </button>
          <span className="grow" />
          <span className="text-2">
            {count(shown.length)} {!words && memories.hasNextPage && "and more"}
          </span>
        </div>
        {project === null ? (
          <Empty title="No project yet" command='backstory sessions start --project orders-api --title "First session"'>
            What the sessions of a project leave behind will show here.
          </Empty>
        ) : (
          <Loaded of={{ ...(words ? recalled : memories), data: words ? recalled.data && true : memories.data && true }} what="The memory">
            {() => (
              <>
                {words && recalled.data?.warning && <p className="text-2">{recalled.data.warning}</p>}
                {shown.length === 0 && (
                  <div className="box">
                    <Empty title={words ? "Nothing is remembered about this" : "Nothing is remembered yet"} command='backstory memory add "Tokens live one hour"'>
                      Fragments, notes, preferences and lessons of this project will show here.
                    </Empty>
                  </div>
                )}
                <ul className="memories">
                  {shown.map((memory) => (
                    <MemoryCard key={memory.id} memory={memory} />
                  ))}
                </ul>
                {!words && memories.hasNextPage && (
                  <button className="button" disabled={memories.isFetchingNextPage} onClick={() => void memories.fetchNextPage()}>
                    Read on
                  </button>
                )}
              </>
            )}
          </Loaded>
        )}
        {opened !== null && project !== null && <MemoryDialog project={project} memory={opened} />}
      </div>
    </main>
  );
}
