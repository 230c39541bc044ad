/** Loading, empty and error states of a pane. */
import type { ReactNode } from "react";
import { useEffect, useState } from "react";
import { Icon } from "./Icon";
import "./States.css";

const PATIENCE = 150;

/** The shape of what comes, once it takes long enough to be noticed. */
export function Skeleton({ rows = 5, label = "Loading" }: { rows?: number; label?: string }) {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), PATIENCE);
    return () => clearTimeout(timer);
  }, []);
  if (!shown) return null;
  return (
    <div className="skeleton" role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, row) => (
        <span key={row} className={`bar bar-${row % 4}`} />
      ))}
    </div>
  );
}

interface EmptyProps {
  title: string;
  children?: ReactNode;
  /** A command that fills it. */
  command?: string;
}

export function Empty({ title, children, command }: EmptyProps) {
  return (
    <div className="empty">
      <Icon name="inbox" />
      <b>{title}</b>
      {children && <p>{children}</p>}
      {command && <code>{command}</code>}
    </div>
  );
}

interface ProblemProps {
  /** The sentence in front: "Version 88 could not be read." */
  title: string;
  error?: unknown;
  retry?: () => void;
}

export function Problem({ title, error, retry }: ProblemProps) {
  return (
    <div className="problem" role="alert">
      <Icon name="error" />
      <span className="grow">
        <b>{title}</b> {error instanceof Error ? error.message : ""}
      </span>
      {retry && (
        <button className="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

interface Answer<T> {
  data: T | undefined;
  error: unknown;
  refetch: () => unknown;
}

interface LoadedProps<T> {
  /** The answer of a query. */
  of: Answer<T>;
  /** What could not be read, where it fails: "The sessions". */
  what: string;
  rows?: number;
  children: (data: T) => ReactNode;
}

/** What a query found, or the state that it is in. */
export function Loaded<T>({ of, what, rows, children }: LoadedProps<T>) {
  if (of.data !== undefined) return <>{children(of.data)}</>;
  if (of.error) return <Problem title={`${what} could not be read.`} error={of.error} retry={() => void of.refetch()} />;
  return <Skeleton rows={rows} label={`Loading: ${what}`} />;
}
