import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { makeEntries } from "../memory/recall/generated-turns.ts";

// A server of one version, in its own process, on a SQLite file that this version fills.

export interface VersionTask {
  readonly version: "old" | "new";
  /** Folder of the repository in this version. */
  readonly root: string;
  readonly file: string;
  readonly size: number;
}

export interface VersionReady {
  readonly url: string;
  /** Secret of the token to send. */
  readonly secret: string;
}

/** Entry points of each version that the benchmark uses. */
const PLACES = {
  old: {
    server: "packages/throughline/dist/server.js",
    token: "packages/throughline/src/server/gate/check-token.ts",
    entry: "packages/throughline/src/memory/recall/search-entry.ts",
    vector: "packages/throughline/src/memory/recall/search-entry.ts",
  },
  new: {
    server: "packages/server/dist/server.js",
    token: "packages/server/dist/server.js",
    entry: "packages/throughline/src/memory/search/search-entry.ts",
    vector: "packages/throughline/src/memory/search/packed-vector.ts",
  },
} as const;

const USER = "bench";
const SPACE = `user:${USER}`;
const BATCH = 2_000;

// biome-ignore lint/suspicious/noExplicitAny: modules of another version have no types here.
type Loaded = any;

process.once("message", async ({ version, root, file, size }: VersionTask) => {
  const load = (place: string): Promise<Loaded> => import(path.join(root, place));
  const places = PLACES[version];
  const { sqliteStore } = await load("packages/throughline/dist/sqlite.js");
  const store = sqliteStore(file);
  await fill(store, size, {
    ...(await load("packages/throughline/dist/index.js")),
    ...(await load(places.entry)),
    ...(await load(places.vector)),
  });
  const { makeToken } = await load(places.token);
  const { secret, token } = makeToken({
    ...{ name: "bench", userId: USER, projects: ["*"], scopes: ["read"], createdAt: Date.now() },
  });
  await store.server.tokens.add(token);
  const { createServer } = await load(places.server);
  // The old server wants the files of the Studio, which are not built.
  const studio = `${file}-studio`;
  await mkdir(studio);
  await writeFile(path.join(studio, "index.html"), "<!doctype html>");
  // CPU time per recall in one thread, as in the old version: more threads answer more at once, not with less.
  const threads = version === "new" ? { searchWorkers: 0 } : {};
  const { url } = await createServer({ port: 0, store, studio, isTokenRequired: true, ...threads });
  process.send?.({ url, secret });
  process.on("message", () => {
    const { user, system } = process.cpuUsage();
    process.send?.({ cpu: user + system, rss: process.memoryUsage.rss() });
  });
});

/** Writes turns and their entries directly, because saving one by one takes minutes. */
async function fill(store: Loaded, size: number, { wordEmbedder, packEntry, packVector }: Loaded): Promise<void> {
  const embedder = wordEmbedder();
  const made = makeEntries(1);
  for (let revision = 0; revision * BATCH < size; revision += 1) {
    const said = Array.from({ length: Math.min(BATCH, size - revision * BATCH) }, (_, at) => {
      const place = revision * BATCH + at;
      const { text, at: time = 0 } = made.next().value;
      return { id: `t${place}`, sessionId: `s${Math.floor(place / 40)}`, position: place % 40, text, at: time };
    });
    const vectors: readonly Float32Array[] = await embedder.embed(said.map(({ text }) => text));
    await store.memories.commit(SPACE, {
      revision,
      turns: said.map((turn) => ({ ...turn, role: "user", createdAt: turn.at, owner: USER })),
      entries: said.map((turn, at) => ({
        id: turn.id,
        entry: packEntry({ ...turn, type: "turn", role: "user" }),
        embedder: embedder.name,
        vector: packVector(vectors[at]),
      })),
    });
  }
  // Otherwise the server would look for vectors of other embedders in the background.
  await store.documents?.put?.(SPACE, "embedder", { revision: 0, value: embedder.name });
}
