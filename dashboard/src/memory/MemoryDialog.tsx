import { setParams } from "../address/address";
import { API, asCurl } from "../api/client";
import { useMemoryHistory } from "../api/memory";
import { Copy } from "../parts/Copy";
import { Dialog } from "../parts/Dialog";
import { Loaded } from "../parts/States";
import { MemoryCard } from "./MemoryCard";

/** A memory as it is and as it was: what it superseded stays readable. */
export function MemoryDialog({ project, memory }: { project: string; memory: number }) {
  const history = useMemoryHistory(project, memory);
  const path = `${API}/projects/${encodeURIComponent(project)}/memories/${memory}`;
  return (
    <Dialog title={`Memory ${memory} of ${project}`} wide close={() => setParams({ memory: null }, { replace: true })}>
      <Loaded of={history} what="The memory">
        {(found) => (
          <>
            <p className="row">
              <span className="grow">{found.memories.length > 1 ? `${found.memories.length} versions, the oldest first` : "It was never changed."}</span>
              <Copy
                choices={[
                  { name: "Markdown", text: () => found.memories.map((one) => `**${one.title ?? one.kind}**\n\n${one.text ?? "(erased)"}`).join("\n\n---\n\n") },
                  { name: "JSON", text: () => JSON.stringify(found.memories, null, 2) },
                  { name: "curl", text: () => asCurl(path) },
                ]}
              />
            </p>
            <ul className="memories">
              {found.memories.map((one) => (
                <MemoryCard key={one.id} memory={one} whole />
              ))}
            </ul>
          </>
        )}
      </Loaded>
    </Dialog>
  );
}
