import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { createServer } from "@throughline/server";
import { createThroughline } from "throughline";
import { sqliteStore } from "throughline/sqlite";
import { fillMemory } from "../memory/fill-memory.ts";

// The measured server, in its own process, so that the load generator does not slow it down.

export interface ServerTask {
  readonly file: string;
  readonly size: number;
  readonly sessions: number;
}

process.once("message", async ({ file, size, sessions }: ServerTask) => {
  const store = sqliteStore(file);
  const filling = await createThroughline({ store: { ...store, close: async () => undefined } });
  await fillMemory(filling.memory, size);
  for (let i = 0; i < sessions; i += 1) {
    await filling.session(`bench-${i}`).append([{ role: "user", content: `Task ${i}: repair the parser.` }]);
  }
  await filling.close();
  const studio = await mkdtemp(path.join(tmpdir(), "throughline-bench-studio-"));
  await writeFile(path.join(studio, "index.html"), "<!doctype html>");
  const server = await createServer({ port: 0, store, studio });
  process.send?.({ url: server.url });
  process.once("message", async () => {
    await server.close();
    await store.close();
    process.exit(0);
  });
});
