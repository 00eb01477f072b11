import process from "node:process";
import { LANGCHAIN, loadLangChain } from "./packages/langchain.ts";
import { loadMastra, MASTRA } from "./packages/mastra.ts";
import { loadMem0, MEM0 } from "./packages/mem0.ts";
import { miniSearch } from "./packages/minisearch.ts";
import { oramaFullText, oramaHybrid } from "./packages/orama.ts";
import { throughline } from "./packages/throughline.ts";
import type { Absence, Peer } from "./peer.ts";

/** Packages that are not dependencies of the benches. Nothing is compiled: mem0 runs without its native one. */
export const INSTALL = [
  "npm install --ignore-scripts --prefix FOLDER mem0ai@3.3.1 better-sqlite3@12.11.1 natural@8.1.1",
  "@mastra/core@1.71.0 @mastra/memory@1.31.0 @mastra/libsql@1.23.1 @langchain/core@1.2.13 @langchain/classic@1.0.50",
].join(" ");

export const NOT_INSTALLED = "not installed";

const OPTIONAL: readonly (readonly [string, (folder: string | undefined) => Promise<Peer | undefined>])[] = [
  [LANGCHAIN, loadLangChain],
  [MEM0, loadMem0],
  [MASTRA, loadMastra],
];

export interface LoadedPeers {
  readonly peers: readonly Peer[];
  readonly absent: readonly Absence[];
}

/** Ours first, then those that are installed. */
export async function loadPeers(folder: string | undefined, scratch: string): Promise<LoadedPeers> {
  keepToThemselves(scratch);
  const peers: Peer[] = [throughline, miniSearch, oramaFullText, oramaHybrid];
  const absent: Absence[] = [];
  for (const [name, load] of OPTIONAL) {
    try {
      const peer = await load(folder);
      if (peer === undefined) absent.push({ name, reason: NOT_INSTALLED });
      else peers.push(peer);
    } catch (error) {
      absent.push({ name, reason: `does not load: ${error instanceof Error ? error.message : String(error)}` });
    }
  }
  return { peers, absent };
}

/** They report their use to their makers, write to the home folder and greet, unless told not to. */
function keepToThemselves(scratch: string): void {
  Object.assign(process.env, {
    MEM0_TELEMETRY: "false",
    MEM0_DIR: scratch,
    MASTRA_TELEMETRY_DISABLED: "1",
    DOTENV_CONFIG_QUIET: "true",
  });
}
