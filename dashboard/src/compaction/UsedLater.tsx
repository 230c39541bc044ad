import type { DroppedDocument } from "../api/schema";
import { Icon } from "../parts/Icon";
import { VersionLink } from "../parts/VersionLink";
import { count } from "../parts/format";
import { itemIcon } from "../parts/itemIcons";
import "./UsedLater.css";

interface Props {
  session: string;
  dropped: DroppedDocument;
}

const words = (kinds: string[]) => kinds.join(", ").replaceAll("_", " ");

/** What later steps used of what left, when nothing in the window had it; or, while nothing was said since, what they will likely need. */
export function UsedLater({ session, dropped }: Props) {
  const used = dropped.items.filter((item) => item.used_at !== null);
  const shown = dropped.steps ? used : dropped.items.slice(0, 10);
  return (
    <section className="box used-later" aria-label="Used later">
      <header>
        <h2>Used later</h2>
        {dropped.steps > 0 && <span className={used.length ? "tag warning" : "tag safe"}>{`${count(used.length)} of ${count(dropped.left)}`}</span>}
        <span className="right">most telling first</span>
      </header>
      <p className="note">
        {dropped.steps
          ? used.length
            ? `${count(dropped.steps)} later steps used names or words of these when nothing in the window had them.`
            : `${count(dropped.steps)} later steps used nothing that had left.`
          : "Nothing was said since. These are the likeliest to be needed next."}
      </p>
      <ul className="scroll" tabIndex={0} aria-label="Items that were used later">
        {shown.map((item) => (
          <li key={item.item}>
            <div className="row">
              <Icon name={itemIcon(item.type)} small />
              <b className="grow cut" title={item.line ?? undefined}>
                {item.line ?? "erased"}
              </b>
              <span className={`tag ${item.summarized ? "summarized" : ""}`}>{item.summarized ? "summarized" : "dropped"}</span>
              <VersionLink session={session} version={item.item} />
            </div>
            {item.used_at !== null && (
              <p className="used">
                used at <VersionLink session={session} version={item.used_at} /> {item.used.slice(0, 4).map((word) => `“${word}”`).join(", ")}
              </p>
            )}
            <p className={item.gone ? "gone" : "back"}>
              <Icon name={item.gone ? "error" : "check"} small />
              {item.gone ? `${count(item.tokens)} tokens, still out of the window` : "Back in the window"}
              {item.kinds.length > 0 && `. ${words(item.kinds)}`}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
