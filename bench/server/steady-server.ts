import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { createServer } from "@throughline/server";
import { sqliteStore } from "throughline/sqlite";

// The measured server of the load over a long time, in its own process.

export interface SteadyTask {
  readonly file: string;
}

process.once("message", async ({ file }: SteadyTask) => {
  const studio = await mkdtemp(path.join(tmpdir(), "throughline-bench-studio-"));
  await writeFile(path.join(studio, "index.html"), "<!doctype html>");
  const server = await createServer({ port: 0, store: sqliteStore(file), studio });
  process.send?.({ url: server.url });
  process.on("message", () => process.send?.({ rss: process.memoryUsage.rss() }));
});
