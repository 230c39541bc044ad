import { ApiError } from "../api/client";
import { Empty, Problem, Skeleton } from "../parts/States";
import type { ReactNode } from "react";

interface BoxProps<T> {
  title: string;
  of: { data: T | undefined; error: unknown; refetch: () => unknown };
  right?: ReactNode;
  wide?: boolean;
  children: (data: T) => ReactNode;
}

/** A part of the page, in the state that its query is in. */
export function Box<T>({ title, of, right, wide, children }: BoxProps<T>) {
  const denied = of.error instanceof ApiError && of.error.status === 403;
  return (
    <section className={wide ? "box wide" : "box"}>
      <header>
        <h2>{title}</h2>
        <span className="right">{right}</span>
      </header>
      {of.data !== undefined ? (
        children(of.data)
      ) : denied ? (
        <Empty title="Your key may not see this">{of.error instanceof Error && of.error.message}</Empty>
      ) : of.error ? (
        <Problem title={`${title} could not be read.`} error={of.error} retry={() => void of.refetch()} />
      ) : (
        <Skeleton rows={3} label={`Loading: ${title}`} />
      )}
    </section>
  );
}
