import path from "node:path";
import type { Message, Part } from "throughline";
import { importPeer } from "../../import-peer.ts";
import { OWNER } from "../appends/our-writers.ts";
import type { Writer } from "../appends/writer.ts";
import { sqliteSize } from "../loads/databases.ts";
import type { LoadTarget } from "../loads/load-target.ts";

export const MASTRA = "Mastra LibSQLStore";

const BATCH = 500;

// The parts of @mastra/libsql 1.23.1 that are used; it is an optional package.
interface MastraMessage {
  readonly id: string;
  readonly threadId: string;
  readonly resourceId: string;
  readonly role: "user" | "assistant";
  readonly createdAt: Date;
  readonly content: { readonly format: 2; readonly parts: readonly unknown[] };
}

interface MastraMemory {
  saveThread(input: { readonly thread: object }): Promise<unknown>;
  saveMessages(input: { readonly messages: readonly MastraMessage[] }): Promise<unknown>;
  listMessages(input: object): Promise<{ readonly messages: readonly MastraMessage[] }>;
}

interface MastraStore {
  init(): Promise<void>;
  getStore(name: "memory"): Promise<MastraMemory>;
  close(): Promise<void>;
}

export interface MastraModule {
  readonly LibSQLStore: new (config: {
    readonly id: string;
    readonly url: string;
    readonly disableInit?: boolean;
  }) => MastraStore;
}

/** Mastra's own store of threads and messages, on a file; `undefined` if it is not installed. */
export async function loadMastra(folder: string | undefined): Promise<MastraModule | undefined> {
  return (await importPeer("@mastra/libsql", folder)) as MastraModule | undefined;
}

export async function mastraWriter({ LibSQLStore }: MastraModule, folder: string): Promise<Writer> {
  const store = new LibSQLStore({ id: "appends", url: `file:${path.join(folder, "mastra.db")}` });
  await store.init();
  const memory = await store.getStore("memory");
  return {
    name: MASTRA,
    async ready({ sessionId, turns }) {
      await memory.saveThread({ thread: thread(sessionId) });
      const all = turns.map((turn) => turn.map(toMastra));
      return async () => {
        for (const messages of all) await memory.saveMessages({ messages });
      };
    },
    close: () => store.close(),
  };
}

/**
 * Reads the newest messages, as many as Throughline's window has, as Mastra's memory does for a turn. Nothing is
 * prepared.
 */
export function mastraTarget({ LibSQLStore }: MastraModule, folder: string): LoadTarget {
  const fileOf = (length: number) => path.join(folder, `mastra-${length}.db`);
  return {
    name: MASTRA,
    async fill({ key, length }, source) {
      const store = new LibSQLStore({ id: "loads", url: `file:${fileOf(length)}` });
      await store.init();
      const memory = await store.getStore("memory");
      await memory.saveThread({ thread: thread(key.sessionId) });
      for (let at = 0; at < length; at += BATCH) {
        await memory.saveMessages({
          messages: (await source.messages.list(key, { from: at, limit: BATCH })).map(toMastra),
        });
      }
      await store.close();
      const bytes = sqliteSize(fileOf(length));
      return { messages: bytes, all: bytes };
    },
    async openWindow({ key, length, windowLength }) {
      const start = performance.now();
      // The tables exist: checking them all takes longer than loading.
      const store = new LibSQLStore({ id: "loads", url: `file:${fileOf(length)}`, disableInit: true });
      const memory = await store.getStore("memory");
      const opened = performance.now();
      const orderBy = { field: "createdAt", direction: "DESC" };
      const { messages } = await memory.listMessages({ threadId: key.sessionId, perPage: windowLength, orderBy });
      const ended = performance.now();
      await store.close();
      return { open: opened - start, load: ended - opened, messages: messages.length };
    },
  };
}

function thread(id: string): object {
  return { id, resourceId: OWNER, title: id, createdAt: new Date(), updatedAt: new Date(), metadata: {} };
}

/** One message per Throughline message, with all content but without token counts. */
function toMastra({ id, sessionId, role, createdAt, parts }: Message): MastraMessage {
  return {
    // Ids are unique in its whole database.
    id: `${sessionId}/${id}`,
    threadId: sessionId,
    resourceId: OWNER,
    role: role === "user" ? "user" : "assistant",
    createdAt: new Date(createdAt),
    content: { format: 2, parts: parts.map(toMastraPart) },
  };
}

function toMastraPart(part: Part): unknown {
  if (part.type === "tool-call") {
    const { toolCallId, toolName, input } = part;
    return { type: "tool-invocation", toolInvocation: { state: "call", toolCallId, toolName, args: input } };
  }
  if (part.type === "tool-result") {
    const { toolCallId, toolName, output } = part;
    const result = output.type === "text" ? output.value : output;
    return { type: "tool-invocation", toolInvocation: { state: "result", toolCallId, toolName, args: {}, result } };
  }
  return part.type === "text" ? { type: "text", text: part.text } : part;
}
