import path from "node:path";
import { pathToFileURL } from "node:url";
import { importPeer } from "../../../import-peer.ts";
import type { SaidTurn } from "../../recall/conversation.ts";
import { DEPTHS } from "../depths.ts";
import type { OpenPeer, Peer } from "../peer.ts";
import { EMBEDDER, embedPassages } from "../shared-embedder.ts";
import { turnText } from "../turn-text.ts";

const USER = "user";
const ASKING = "asking";
const SECOND = 1_000;

// The parts of @mastra/memory 1.31.0 and @mastra/libsql 1.23.1 that are used; they are optional packages.
interface MastraMemory {
  saveThread(input: { readonly thread: object }): Promise<unknown>;
  saveMessages(input: { readonly messages: readonly object[] }): Promise<unknown>;
  recall(input: object): Promise<{ readonly messages: readonly { readonly id: string }[] }>;
}

interface Closable {
  close(): Promise<void>;
}

type NewOnFile = new (config: { readonly id: string; readonly url: string }) => Closable;

interface MastraModules {
  readonly Memory: new (config: object) => MastraMemory;
  readonly LibSQLStore: NewOnFile;
  readonly LibSQLVector: NewOnFile;
}

/**
 * Mastra's memory with its default store of messages and vectors.
 *
 * Tried: including the neighbors of every hit (`messageRange` 1, its default) with a third of the hits, for the same
 * number of messages: R@10 35 instead of 38. Its scope is all sessions of the user, as in Throughline.
 */
export async function loadMastra(folder: string | undefined): Promise<Peer | undefined> {
  const [memory, libsql] = await Promise.all(
    ["@mastra/memory", "@mastra/libsql"].map((name) => importPeer(name, folder) as Promise<object | undefined>),
  );
  return memory && libsql && mastra({ ...memory, ...libsql } as MastraModules);
}

function mastra(modules: MastraModules): Peer {
  return {
    async open(turns, folder) {
      const opened = openFile(modules, folder);
      const sessions = Map.groupBy(turns, ({ sessionId }) => sessionId);
      // The thread that asks; its scope is all sessions.
      await opened.memory.saveThread({ thread: thread(ASKING) });
      for (const [sessionId, said] of sessions) {
        await opened.memory.saveThread({ thread: thread(sessionId) });
        await opened.memory.saveMessages({ messages: said.map(toMessage) });
      }
      return asPeer(opened);
    },
    reopen: async (folder) => asPeer(openFile(modules, folder)),
  };
}

interface OpenedFile {
  readonly memory: MastraMemory;
  close(): Promise<void>;
}

function openFile({ Memory, LibSQLStore, LibSQLVector }: MastraModules, folder: string): OpenedFile {
  const url = pathToFileURL(path.join(folder, "mastra.db")).href;
  const storage = new LibSQLStore({ id: `messages ${folder}`, url });
  const vector = new LibSQLVector({ id: `vectors ${folder}`, url });
  const memory = new Memory({ storage, vector, embedder: embeddingModel, options: recallOptions(10) });
  const close = async () => {
    await vector.close();
    await storage.close();
  };
  return { memory, close };
}

function asPeer({ memory, close }: OpenedFile): OpenPeer {
  const ask = async (vectorSearchString: string, limit: number) => {
    const threadConfig = recallOptions(limit);
    const asked = { threadId: ASKING, resourceId: USER, perPage: 0, vectorSearchString, threadConfig };
    return (await memory.recall(asked)).messages.map(({ id }) => id);
  };
  return {
    // Mastra returns hits in chronological order: the ranking is found by asking for fewer.
    rank: async (question, limit) => {
      const depths = [...DEPTHS.filter((depth) => depth < limit), limit];
      const found = await Promise.all(depths.map((depth) => ask(question, depth)));
      return [...new Set(found.flat())];
    },
    recall: ask,
    close,
  };
}

function recallOptions(topK: number): object {
  return { lastMessages: false, semanticRecall: { topK, messageRange: 0, scope: "resource" } };
}

/** Throughline's embedder as an AI SDK model. */
const embeddingModel = {
  specificationVersion: "v3",
  provider: "throughline",
  modelId: EMBEDDER,
  maxEmbeddingsPerCall: 1_000,
  supportsParallelCalls: true,
  doEmbed: async ({ values }: { readonly values: readonly string[] }) => ({
    embeddings: await embedPassages(values),
    warnings: [],
  }),
};

function thread(id: string): object {
  return { id, resourceId: USER, title: id, createdAt: new Date(), updatedAt: new Date(), metadata: {} };
}

function toMessage(turn: SaidTurn): object {
  const { id, sessionId, at = 0, position } = turn;
  return {
    id,
    threadId: sessionId,
    resourceId: USER,
    role: "user",
    createdAt: new Date(at + position * SECOND),
    content: { format: 2, parts: [{ type: "text", text: turnText(turn) }] },
  };
}
