import path from "node:path";
import { importPeer } from "../../../import-peer.ts";
import type { Peer } from "../peer.ts";
import { LANGCHAIN_EMBEDDINGS } from "../shared-embedder.ts";
import { turnText } from "../turn-text.ts";
import { replaceSqlite } from "./replace-sqlite.ts";

export const MEM0 = "mem0ai 3.3.1, infer: false";

const USER = "user";

// What we use of mem0ai 3.3.1, which is not installed everywhere.
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
 * mem0 with its own store, which ranks by vectors and BM25 together: the best of those that run in one process. Through
 * LangChain's store, the other one, it has vectors alone.
 *
 * Tried, R@10 on the three conversations: the text alone 55, with the speaker 58, with the day too 62; the stemmer of
 * `natural`, which it takes where that is installed, 62, its own 61; threshold 0.1 (its default) and 0: 61.5 and 61.9.
 * Entities are linked only where a model infers. It looks at four times as many turns as are wanted, the nearest by
 * vector: so the first ten of fifty are better than ten that are asked for.
 */
export async function loadMem0(folder: string | undefined): Promise<Peer | undefined> {
  if (!replaceSqlite(folder)) return undefined;
  const loaded = (await importPeer("mem0ai/oss", folder)) as Mem0Module | undefined;
  return loaded && mem0(loaded);
}

function mem0({ Memory }: Mem0Module): Peer {
  return {
    name: MEM0,
    async open(turns, folder) {
      const memory = new Memory({
        embedder: { provider: "langchain", config: { model: LANGCHAIN_EMBEDDINGS } },
        vectorStore: {
          provider: "memory",
          config: { collectionName: "turns", dimension: 100, dbPath: path.join(folder, "mem0.db") },
        },
        // Named because it must be; nothing is inferred, so nobody is asked.
        llm: { provider: "openai", config: { apiKey: "none" } },
        disableHistory: true,
      });
      for (const turn of turns) {
        await memory.add(turnText(turn), { userId: USER, infer: false, metadata: { turn: turn.id } });
      }
      const ask = async (question: string, topK: number, least: { readonly threshold?: number }) => {
        const { results } = await memory.search(question, { topK, filters: { user_id: USER }, ...least });
        return results.map(({ metadata }) => metadata.turn);
      };
      return {
        rank: (question, limit) => ask(question, limit, { threshold: 0 }),
        recall: (question, limit) => ask(question, limit, {}),
        close: async () => undefined,
      };
    },
  };
}
