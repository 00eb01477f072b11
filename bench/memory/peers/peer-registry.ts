import process from "node:process";
import type { Peer } from "./peer.ts";

/** Packages by name, Throughline first. A package is imported when it is measured; `undefined` if not installed. */
export const PEERS: Readonly<Record<string, (folder: string | undefined) => Promise<Peer | undefined>>> = {
  Throughline: async () => (await import("./packages/throughline.ts")).throughline,
  "SQLite FTS5": async () => (await import("./packages/fts5.ts")).fts5,
  "MiniSearch 7.2.0": async () => (await import("./packages/minisearch.ts")).miniSearch,
  "Orama 3.1.18, full text": async () => (await import("./packages/orama.ts")).oramaFullText,
  "Orama 3.1.18, hybrid": async () => (await import("./packages/orama.ts")).oramaHybrid,
  "LanceDB 0.39.0, hybrid": async (folder) => (await import("./packages/lancedb.ts")).loadLanceDb(folder),
  "LangChain MemoryVectorStore": async (folder) => (await import("./packages/langchain.ts")).loadLangChain(folder),
  "Mastra 1.31.0, semantic recall": async (folder) => (await import("./packages/mastra.ts")).loadMastra(folder),
  "mem0 3.3.1, infer: false": async (folder) => (await import("./packages/mem0.ts")).loadMem0(folder),
};

export async function loadPeer(name: string, folder: string | undefined): Promise<Peer | undefined> {
  return PEERS[name]?.(folder);
}

/** Disables telemetry, writes to the home folder and banners. The settings are inherited by child processes. */
export function disableTelemetry(scratch: string): void {
  Object.assign(process.env, {
    MEM0_TELEMETRY: "false",
    MEM0_DIR: scratch,
    MASTRA_TELEMETRY_DISABLED: "1",
    LANCEDB_LOG: "error",
    DOTENV_CONFIG_QUIET: "true",
  });
}
