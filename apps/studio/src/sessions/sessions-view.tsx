import { frameCopy } from "../copy/frame.ts";

interface SessionsViewProps {
  /** Id of the open session, and the number of a compaction. */
  readonly path: readonly string[];
}

/** Recorded sessions of this machine and those of the server. */
export function SessionsView({ path }: SessionsViewProps) {
  return (
    <main>
      <h1>{[frameCopy.places.sessions, ...path].join(" ")}</h1>
    </main>
  );
}
