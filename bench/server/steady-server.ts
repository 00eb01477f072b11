import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { createServer } from "@throughline/server";
import { wordEmbedder } from "throughline";
import { sqliteStore } from "throughline/sqlite";
import { fillStore } from "../memory/fill-store.ts";

// The measured server of the load over a long time, in its own process.

export interface SteadyTask {
  readonly file: string;
  /** Memories and utterances in the file. */
  readonly size: number;
}

process.once("message", async ({ file, size }: SteadyTask) => {
  await fillStore(file, size, wordEmbedder());
  const studio = await mkdtemp(path.join(tmpdir(), "throughline-bench-studio-"));
  await writeFile(path.join(studio, "index.html"), "<!doctype html>");
  const server = await createServer({ port: 0, store: sqliteStore(file), studio });
  process.send?.({ url: server.url });
  process.on("message", () => process.send?.({ rss: process.memoryUsage.rss() }));
});
