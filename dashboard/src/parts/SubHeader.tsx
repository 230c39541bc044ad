import type { ReactNode } from "react";
import { Link } from "../address/Link";
import { Icon } from "./Icon";
import "./SubHeader.css";

interface Props {
  title: string;
  note?: ReactNode;
  /** The addresses of the one before and the one after; null where there is none. */
  previous?: string | null;
  next?: string | null;
  /** Facts and actions, on the right. */
  children?: ReactNode;
}

/** The head of a view: its title on the left, facts and actions on the right. */
export function SubHeader({ title, note, previous, next, children }: Props) {
  return (
    <div className="sub-header">
      {previous !== undefined && (
        <span className="steps">
          <Step to={previous} name="Previous" icon="previous" />
          <Step to={next ?? null} name="Next" icon="next" />
        </span>
      )}
      <div className="title">
        <h2>{title}</h2>
        {note && <div className="under">{note}</div>}
      </div>
      <div className="beside">{children}</div>
    </div>
  );
}

function Step({ to, name, icon }: { to: string | null; name: string; icon: "previous" | "next" }) {
  if (to === null) {
    return (
      <button className="button quiet compact only-icon" aria-label={name} title={`There is no ${name.toLowerCase()} one`} disabled>
        <Icon name={icon} />
      </button>
    );
  }
  return (
    <Link className="button quiet compact only-icon" to={to} aria-label={name}>
      <Icon name={icon} />
    </Link>
  );
}
