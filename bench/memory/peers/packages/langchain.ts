import { importPeer } from "../../../import-peer.ts";
import type { Peer } from "../peer.ts";
import { LANGCHAIN_EMBEDDINGS } from "../shared-embedder.ts";
import { turnText } from "../turn-text.ts";

// The parts of @langchain/classic 1.0.50 that are used; it is an optional package.
interface StoredDocument {
  readonly pageContent: string;
  readonly metadata: { readonly id: string };
}

interface VectorStore {
  addDocuments(documents: readonly StoredDocument[]): Promise<unknown>;
  similaritySearch(query: string, k: number): Promise<readonly StoredDocument[]>;
}

interface LangChainModule {
  readonly MemoryVectorStore: new (embeddings: typeof LANGCHAIN_EMBEDDINGS) => VectorStore;
}

/**
 * LangChain's in-process vector store; `@langchain/core` only has its interface.
 *
 * Tried: texts without the day or the speaker; maximal marginal relevance with lambda 0.5 (R@10 32) and 0.9 (38, as
 * plain similarity, for forty times the time).
 */
export async function loadLangChain(folder: string | undefined): Promise<Peer | undefined> {
  const loaded = (await importPeer("@langchain/classic/vectorstores/memory", folder)) as LangChainModule | undefined;
  return loaded && langChain(loaded);
}

function langChain({ MemoryVectorStore }: LangChainModule): Peer {
  return {
    async open(turns) {
      const store = new MemoryVectorStore(LANGCHAIN_EMBEDDINGS);
      await store.addDocuments(turns.map((turn) => ({ pageContent: turnText(turn), metadata: { id: turn.id } })));
      const ask = async (question: string, limit: number) =>
        (await store.similaritySearch(question, limit)).map(({ metadata }) => metadata.id);
      return { rank: ask, recall: ask, close: async () => undefined };
    },
  };
}
