import type { Store } from "../src/ports/store.ts";
import { createThroughline } from "../src/throughline.ts";

/** Runs a scenario of memories and returns everything it can observe. */
export async function liveMemories(store: Store): Promise<unknown[]> {
  let now = Date.UTC(2026, 4, 4);
  const clock = {
    now: () => {
      now += 1;
      return now;
    },
  };
  const throughline = await createThroughline({ store, clock, userId: "ada", projectId: "shop" });
  const { memory } = throughline;
  const seen: unknown[] = [];
  const recall = async (question: string): Promise<void> => {
    const hits = await memory.recall(question);
    seen.push(hits.map(({ type, text, score, reasons }) => [type, text, score.toFixed(6), ...reasons]));
  };
  for (const value of ["MySQL", "PostgreSQL", "PostgreSQL"]) {
    seen.push((await memory.remember({ text: `The team uses ${value}.`, key: "db", value })).outcome);
  }
  await memory.remember({ text: "The build takes ten minutes" });
  await memory.remember({ text: "The build takes 25 minutes" });
  await memory.ingest({
    sessionId: "monday",
    messages: [
      { id: "a", role: "user", text: "I live in Lisbon, and we ship on Fridays with Kubernetes." },
      { id: "b", role: "assistant", text: "Good to know." },
      { id: "c", role: "user", text: "The release review is on Tuesday at 3pm." },
      { id: "d", role: "user", text: "The release review has been moved to Thursday at 10am." },
    ],
  });
  for (const question of ["Which database is used?", "k8s", "When is the release review?", "Who likes jazz?"]) {
    await recall(question);
  }
  seen.push((await memory.contradictions({ status: "open" })).map(({ reason }) => reason));
  now += 100 * 24 * 60 * 60 * 1_000;
  const { journalId = "", ...done } = await memory.consolidate();
  seen.push(done);
  await memory.undo(journalId);
  seen.push(
    (await memory.list({ all: true })).map(({ levels, validTo, archivedAt }) => [levels.full, validTo, archivedAt]),
  );
  seen.push(await memory.purge("a"));
  await recall("Where does the user live?");
  const { turns, journal = [] } = await memory.export();
  seen.push(
    turns.map(({ text, staleSince }) => [text, staleSince]),
    journal.map(({ action }) => action),
  );
  await throughline.close();
  return seen;
}
