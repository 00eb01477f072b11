import process from "node:process";
import { createServer } from "@throughline/server";
import { type IndexCacheStats, indexCacheStats } from "throughline/internal/engine";
import { postgresStore } from "throughline/postgres";

// The measured server, in its own process.

export interface ScaleTask {
  readonly url: string;
  readonly connections: number;
}

/** Totals of the process so far. */
export interface ServerUsage {
  readonly cpuMs: number;
  readonly rssBytes: number;
  readonly cache: IndexCacheStats;
}

process.once("message", async ({ url, connections }: ScaleTask) => {
  const store = postgresStore(url, { maxConnections: connections });
  const server = await createServer({ port: 0, store, isTokenRequired: true });
  process.send?.({ url: server.url });
  process.on("message", async (word) => {
    if (word === "usage") {
      const { user, system } = process.cpuUsage();
      const usage: ServerUsage = {
        cpuMs: (user + system) / 1_000,
        rssBytes: process.memoryUsage.rss(),
        cache: indexCacheStats(),
      };
      process.send?.(usage);
      return;
    }
    await server.close();
    await store.close();
    process.exit(0);
  });
});
