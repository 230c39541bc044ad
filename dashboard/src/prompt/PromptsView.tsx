/** What the model saw: the newest prompt at the cursor, to the byte, with its call. */
import { useState } from "react";
import { setParams, useAddress, withParams } from "../address/address";
import { addressOf, asCurl, ofSession } from "../api/client";
import type { RecordedPromptDocument } from "../api/schema";
import { Copy } from "../parts/Copy";
import { Empty, Loaded } from "../parts/States";
import { SubHeader } from "../parts/SubHeader";
import { clock, count, money } from "../parts/format";
import type { SessionViewProps } from "../session/views";
import { CallPanel } from "./CallPanel";
import { CallTable } from "./CallTable";
import { Manifest } from "./Manifest";
import { PromptText } from "./PromptText";
import { Proof } from "./Proof";
import { linesOf } from "./messages";
import { useCall, useNextPrompt, usePromptAt, useReproduction, type PromptPlace } from "./queries";
import { reuseOf } from "./reuse";
import { blocksOf } from "./sections";
import "./PromptsView.css";

export function PromptsView({ session, version, rest }: SessionViewProps) {
  const { params } = useAddress();
  const asked = params.get("v") === null ? Number(rest[0]) || version : version;
  const place = usePromptAt(session.session, asked);
  const all = params.get("calls") === "all";
  return (
    <main className="prompts-view">
      <Loaded of={place} what="The prompts">
        {(found) =>
          found.prompt && !all ? (
            <PromptView session={session.session} prompt={found.prompt} previous={found.previous} />
          ) : (
            <Calls session={session.session} calls={session.model_calls} place={found} />
          )
        }
      </Loaded>
    </main>
  );
}

/** Calls without recorded prompts, as imported sessions have them; or all of them, where they are asked for. */
function Calls({ session, calls, place }: { session: string; calls: number; place: PromptPlace }) {
  if (!calls) {
    return (
      <Empty title="No prompt yet" command="backstory context last --record">
        Each prompt that is made for a model shows here, as it was sent.
      </Empty>
    );
  }
  return (
    <>
      <SubHeader title="Calls" note={place.prompt ? undefined : "No prompt was recorded at this version. What was imported has the calls, not the prompts."}>
        {place.prompt && (
          <button className="button" onClick={() => setParams({ calls: null })}>
            What the model saw
          </button>
        )}
      </SubHeader>
      <CallTable session={session} />
    </>
  );
}

interface PromptProps {
  session: string;
  prompt: RecordedPromptDocument;
  previous: number | null;
}

function PromptView({ session, prompt, previous }: PromptProps) {
  const made = useReproduction(session, prompt.version);
  const before = useReproduction(session, previous);
  const told = useCall(session, prompt.calls.at(-1) ?? null);
  const next = useNextPrompt(session, prompt.version);
  const [marked, setMarked] = useState<string | null>(null);
  const [onlyFresh, setOnlyFresh] = useState(false);
  const [raw, setRaw] = useState(false);
  const at = (version: number | null | undefined) => (version ? withParams(`/sessions/${session}/prompts`, { v: version }) : null);
  const call = told.data?.call;
  const reuse = made.data && before.data ? reuseOf(made.data, before.data) : null;
  const path = ofSession(session, "/reproduce");
  return (
    <>
      <SubHeader
        title="What the model saw"
        note={`${prompt.agent ?? "any agent"} · v${prompt.version} · ${clock(prompt.made_at)}${prompt.live ? "" : " · on a branch that was left"}`}
        previous={at(previous)}
        next={at(next.data)}
      >
        {call && (
          <>
            <span className="fact">
              <b>{call.model}</b>
            </span>
            <span className="fact">
              <b>{count(call.input_tokens ?? prompt.tokens)}</b> in
            </span>
            {call.output_tokens !== null && (
              <span className="fact">
                <b>{count(call.output_tokens)}</b> out
              </span>
            )}
            {call.latency_ms !== null && (
              <span className="fact">
                <b>{(call.latency_ms / 1000).toFixed(1)} s</b>
              </span>
            )}
            {call.cost_usd !== null && (
              <span className="fact">
                <b>{money(call.cost_usd)}</b>
              </span>
            )}
            <span className="separator" />
          </>
        )}
        <Proof prompt={made.data} checking={made.isFetching} onCheck={() => void made.refetch()} />
        <Copy
          choices={[
            { name: "Exact bytes", text: () => made.data?.prompt ?? "" },
            { name: "Markdown", text: () => markdownOf(made.data?.pieces ?? []) },
            { name: "JSON with manifest", text: () => JSON.stringify(made.data, null, 2) },
            { name: "curl", text: () => asCurl(path, { version: prompt.version }) },
            { name: "Link", text: () => new URL(addressOf(`/sessions/${session}/prompts`, { v: prompt.version }), location.origin).href },
          ]}
        />
        <button className="button" aria-pressed={raw} onClick={() => setRaw(!raw)}>
          Raw
        </button>
        <button className="button quiet" onClick={() => setParams({ calls: "all" })}>
          All calls
        </button>
      </SubHeader>
      <Loaded of={made} what="The prompt" rows={12}>
        {(found) => (
          <div className="prompt-columns">
            <section className={onlyFresh ? "scroll only-fresh" : "scroll"} aria-label="Prompt" tabIndex={0}>
              {found.pieces === null ? (
                <Erased missing={found.missing} />
              ) : raw ? (
                <pre className="raw">{found.prompt}</pre>
              ) : (
                <PromptText
                  session={session}
                  blocks={blocksOf(found.pieces, found.sections ?? [])}
                  fresh={reuse?.fresh ?? NONE}
                  marked={marked}
                  onMark={setMarked}
                />
              )}
            </section>
            <aside className="scroll" aria-label="About the prompt" tabIndex={0}>
              <Manifest prompt={found} marked={marked} onMark={setMarked} />
              <CallPanel
                session={session}
                prompt={prompt}
                made={found}
                told={told.data}
                reuse={reuse}
                previous={previous}
                onlyFresh={onlyFresh}
                onOnlyFresh={setOnlyFresh}
              />
            </aside>
          </div>
        )}
      </Loaded>
    </>
  );
}

const NONE: Set<number> = new Set();

function Erased({ missing }: { missing: { item: number; section: string; erased_at: number | null }[] }) {
  return (
    <Empty title="This prompt cannot be made again">
      {missing.map((one) => `item ${one.item} (${one.section})${one.erased_at ? `, erased at version ${one.erased_at}` : ""}`).join("; ")}. Its hash stays on record.
    </Empty>
  );
}

function markdownOf(pieces: { section: string; text: string | null; message: Record<string, unknown> | null }[]): string {
  return pieces.map((piece) => `<!-- ${piece.section} -->\n${piece.message ? linesOf(piece.message).join("\n") : piece.text}`).join("\n\n");
}
