import type { Embedder } from "throughline";
import { sqliteStore } from "throughline/sqlite";
import { packVector } from "../../packages/throughline/src/memory/search/packed-vector.ts";
import { packEntry } from "../../packages/throughline/src/memory/search/search-entry.ts";
import { makeEntries } from "./recall/generated-turns.ts";

/** Space of the user of a store without tokens. */
export const LOCAL_SPACE = "user:local";
const BATCH = 2_000;

/** Writes made turns and their entries directly into a SQLite file, because saving one by one takes minutes. */
export async function fillStore(file: string, size: number, embedder: Embedder): Promise<void> {
  const store = sqliteStore(file);
  const made = makeEntries(1);
  for (let revision = 0; revision * BATCH < size; revision += 1) {
    const length = Math.min(BATCH, size - revision * BATCH);
    const said = Array.from({ length }, (_, at) => {
      const place = revision * BATCH + at;
      const { text, at: time = 0 } = made.next().value;
      return { id: `t${place}`, sessionId: `s${Math.floor(place / 40)}`, position: place % 40, text, at: time };
    });
    const vectors = await embedder.embed(said.map(({ text }) => text));
    await store.memories.commit(LOCAL_SPACE, {
      revision,
      turns: said.map((turn) => ({ ...turn, role: "user", createdAt: turn.at, owner: "local" })),
      entries: said.map((turn, at) => ({
        id: turn.id,
        entry: packEntry({ ...turn, type: "turn", role: "user" }),
        embedder: embedder.name,
        vector: packVector(vectors[at] ?? new Float32Array()),
      })),
    });
  }
  await store.close();
}
