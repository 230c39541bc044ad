import type { SessionViewProps } from "./views";

/** What the agent keeps in mind at a version. */
export function WindowView({ session, version }: SessionViewProps) {
  return (
    <main className="whole">
      {session.title} {version}
    </main>
  );
}
