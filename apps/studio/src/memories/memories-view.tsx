import { frameCopy } from "../copy/frame.ts";

/** The memories of the server. */
export function MemoriesView() {
  return (
    <main>
      <h1>{frameCopy.places.memories}</h1>
    </main>
  );
}
