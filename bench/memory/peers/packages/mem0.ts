import { createRequire } from "node:module";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { findPeer, importPeer } from "../../../import-peer.ts";
import type { OpenPeer, Peer } from "../peer.ts";
import { LANGCHAIN_EMBEDDINGS } from "../shared-embedder.ts";
import { turnText } from "../turn-text.ts";

const USER = "user";

// The parts of mem0ai 3.3.1 that are used; it is an optional package.
interface Mem0 {
  add(text: string, options: object): Promise<unknown>;
  search(
    query: string,
    options: object,
  ): Promise<{ readonly results: readonly { readonly metadata: { readonly turn: string } }[] }>;
}

interface Mem0Module {
  readonly Memory: new (config: object) => Mem0;
}

/**
 * mem0 with its own store, which ranks by vectors and BM25: the best of its in-process stores. With LangChain's store
 * it uses only vectors.
 *
 * Tried, R@10 on the three conversations: the text alone 55, with the speaker 58, with the day too 62; the stemmer of
 * `natural`, which it uses if installed, 62, its own 61; threshold 0.1 (its default) and 0: 61.5 and 61.9. Entities are
 * linked only if a model infers. It considers four times as many turns as requested, the nearest by vector: so the
 * first ten of fifty are better than a request for ten.
 */
export async function loadMem0(folder: string | undefined): Promise<Peer | undefined> {
  if (!replaceSqlite(folder)) return undefined;
  const loaded = (await importPeer("mem0ai/oss", folder)) as Mem0Module | undefined;
  return loaded && mem0(loaded);
}

function mem0(module: Mem0Module): Peer {
  return {
    async open(turns, folder) {
      const memory = openFile(module, folder);
      for (const turn of turns) {
        await memory.add(turnText(turn), { userId: USER, infer: false, metadata: { turn: turn.id } });
      }
      return asPeer(memory);
    },
    reopen: async (folder) => asPeer(openFile(module, folder)),
  };
}

function openFile({ Memory }: Mem0Module, folder: string): Mem0 {
  return new Memory({
    embedder: { provider: "langchain", config: { model: LANGCHAIN_EMBEDDINGS } },
    vectorStore: {
      provider: "memory",
      config: { collectionName: "turns", dimension: 100, dbPath: path.join(folder, "mem0.db") },
    },
    // Required by its configuration; nothing is inferred, so it is never called.
    llm: { provider: "openai", config: { apiKey: "none" } },
    disableHistory: true,
  });
}

function asPeer(memory: Mem0): OpenPeer {
  const ask = async (question: string, topK: number, least: { readonly threshold?: number }) => {
    const { results } = await memory.search(question, { topK, filters: { user_id: USER }, ...least });
    return results.map(({ metadata }) => metadata.turn);
  };
  return {
    rank: (question, limit) => ask(question, limit, { threshold: 0 }),
    recall: (question, limit) => ask(question, limit, {}),
    close: async () => undefined,
  };
}

/** The parts of better-sqlite3 that mem0 uses, on Node's own SQLite. */
class Database extends DatabaseSync {
  transaction<Args extends unknown[]>(work: (...args: Args) => void): (...args: Args) => void {
    return (...args) => {
      this.exec("BEGIN");
      try {
        work(...args);
        this.exec("COMMIT");
      } catch (error) {
        this.exec("ROLLBACK");
        throw error;
      }
    };
  }
}

/**
 * Replaces better-sqlite3 by Node's SQLite in a folder of packages, before anything loads it: 12.11.1 must be compiled
 * if its download is unreachable, and then Node 24 ends with "Assertion failed: (env) != nullptr" when a statement is
 * garbage-collected. Returns `false` if it is not installed.
 */
function replaceSqlite(folder: string | undefined): boolean {
  const file = findPeer("better-sqlite3", folder);
  if (file === undefined) return false;
  const module = { id: file, filename: file, path: path.dirname(file), exports: Database, loaded: true };
  Object.assign(createRequire(file).cache, { [file]: { ...module, children: [], paths: [] } });
  return true;
}
