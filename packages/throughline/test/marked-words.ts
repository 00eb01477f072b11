import { inflateSync } from "node:zlib";
import type { SqlStore } from "../src/store/sql/sql-store.ts";
import {
  compaction,
  contradiction,
  entry,
  fullMemory,
  fullTurn,
  journalEntry,
  receipt,
  withParts,
} from "../src/test/samples.ts";
import { createThroughline } from "../src/throughline.ts";

/** Generates unique words and records them. */
export class MarkedWords {
  readonly all: string[] = [];

  next = (): string => {
    const letters = String(this.all.length).padStart(3, "0");
    const word = `zqv${letters.replaceAll(/\d/g, (digit) => "bdfghjklmn"[Number(digit)] ?? "")}xuq`;
    this.all.push(word);
    return word;
  };
}

const MARK = /zqv[bdfghjklmn]{3}xuq/g;
const TIME = 1_700_000_000_000;

/** Puts a unique word into every text field of the store's ports. */
export async function writeFields(store: SqlStore, next: () => string): Promise<void> {
  await writeSession(store, next);
  await writeMemories(store, next);
  await store.documents.put("user:ada", "habits", { revision: 0, value: {} });
  await store.documents.put("user:ada", "habits", { revision: 1, value: { [next()]: [next()] } });
  const bytes = (word: string) => new TextEncoder().encode(word);
  await store.blobs.put("user:ada", { epoch: 0, blobs: [{ name: "segment", bytes: bytes(next()) }] });
  const { answers, jobs } = store.server;
  await answers.claim("ada", "key", "request", 60_000);
  await answers.save("ada", "key", { request: next(), status: 200, headers: { [next()]: next() }, body: next() });
  await jobs.add({ kind: "work", owner: "ada", key: "k" });
  const job = await jobs.lease("holder", 60_000);
  await jobs.finish(job?.id ?? "", "holder", { error: next(), retryAfter: 1000 });
}

async function writeSession({ messages, sessions }: SqlStore, next: () => string): Promise<void> {
  const key = { userId: "ada", sessionId: "fields" };
  const output = { type: "json", value: { [next()]: next() } } as const;
  const call = { toolCallId: next(), toolName: next() };
  const said = withParts(key, "m0", [
    { id: "p0", type: "text", text: next(), providerOptions: { openai: { item: next() } } },
    { id: "p1", type: "tool-call", ...call, input: { [next()]: next() } },
    { id: "p2", type: "tool-result", ...call, output },
    { id: "p3", type: "file", mediaType: "text/plain", filename: next(), data: { type: "data", data: next() } },
    { id: "p4", type: "file", mediaType: "text/plain", data: { type: "data", data: new TextEncoder().encode(next()) } },
    // Large enough to be compressed.
    { id: "p5", type: "text", text: `${next()} `.repeat(20_000) },
  ]);
  const error = { name: next(), message: next() };
  await messages.append(key, 0, [{ ...said, modelId: next(), finishReason: next(), error }]);
  const summary = { summary: next(), compactedMessageIds: [next()] };
  for (const revision of [0, 1]) {
    await sessions.commit(key, {
      revision,
      ...(revision === 1 && { state: { [next()]: next(), long: `${next()} `.repeat(20_000) } }),
      compactions: [{ ...compaction(`c${revision}`, revision, { [next()]: next() }), ...summary }],
      receipts: [receipt(`r${revision}`, { [next()]: next() })],
      marks: new Map([["p5", TIME]]),
    });
  }
}

async function writeMemories({ memories: memoryStore }: SqlStore, next: () => string): Promise<void> {
  const space = "user:fields";
  const bytes = () => new TextEncoder().encode(next());
  const ids = { userId: "ada", projectId: "shop" };
  const memory = {
    ...fullMemory("mem", ""),
    ...ids,
    levels: { full: next(), summary: next(), compressed: next(), index: next() },
    ...{ key: next(), value: next(), subject: next(), aliases: [next()], heard: { [next()]: 2 } },
    source: { sessionId: "s", messageId: next(), speaker: next(), quote: next() },
    earlierSources: [{ sessionId: next(), quote: next() }],
    artifacts: [{ type: "file", ref: next() } as const],
    ...{ supersedes: "older", supersededBy: "newer", links: ["linked"] },
  };
  const turn = {
    ...fullTurn("turn", ""),
    ...ids,
    ...{ sessionId: "s", messageId: "m", role: next(), speaker: next(), text: next(), marks: [{ since: TIME }] },
    pending: [{ text: next(), key: next(), value: next(), subject: next(), source: { quote: next() } }],
  };
  const conflict = contradiction("con", "mem", "other", { reason: next(), note: next(), status: "resolved" });
  await memoryStore.commit(space, {
    revision: 0,
    memories: [{ memory, slot: next(), fingerprint: `${next()} `.repeat(50) }],
    turns: [turn],
    entries: [{ ...entry("mem", "glove"), entry: bytes(), vector: bytes() }],
    contradictions: [conflict],
    journal: [
      {
        ...journalEntry("jrn", [
          { kind: "memory", id: "mem", before: { ...memory, key: next() }, after: next() },
          { kind: "turn", id: "turn", before: { ...turn, text: next() }, after: next() },
          { kind: "contradiction", id: "con", before: { ...conflict, reason: next() }, after: next() },
        ]),
        action: next(),
      },
    ],
  });
  await memoryStore.record(space, { judgements: [{ key: next(), memoryIds: ["mem", "other"], contradicts: true }] });
  await memoryStore.record(space, {
    judgements: [{ key: `${next()} `.repeat(50), memoryIds: ["mem"], contradicts: false }],
  });
}

/** A scenario that uses all features with unique words in every text. */
export async function liveWith(store: SqlStore, next: () => string): Promise<void> {
  let now = TIME;
  const generate = async ({ prompt }: { readonly prompt: string }) => {
    return { text: prompt.includes("contradict each other?") ? "yes" : `## Summary\n${next()} was asked for.` };
  };
  const throughline = await createThroughline({
    store,
    model: { modelId: "judge", generate },
    clock: { now: () => (now += 1) },
    userId: "ada",
    projectId: "shop",
  });
  const session = throughline.session("lived", { contextLimit: 4_000, outputReserve: 500, remember: true });
  for (let i = 0; i < 12; i += 1) {
    await session.append([
      { role: "user", content: `Please look at ${next()} in src/${next()}.ts. ${"It matters. ".repeat(60)}` },
      { role: "assistant", content: `I looked at ${next()}. ${"No problems found. ".repeat(60)}` },
    ]);
    await session.prepare({ system: `You are ${next()}.`, memory: true });
  }
  await session.compact({ focus: next() });
  const { memory } = throughline;
  await memory.remember({ text: `The build takes ten minutes on ${next()}`, subject: next(), aliases: [next()] });
  const { memory: first } = await memory.remember({ text: `The team uses ${next()}.`, key: next(), value: next() });
  const { memory: likes } = await memory.remember({ text: `User likes ${next()}`, category: "preference" });
  await memory.update(likes.id, { text: `User likes ${next()} very much` });
  const lived = next();
  await memory.remember({ text: `The office of ${lived} opens at 8 o'clock`, category: "project" });
  await memory.remember({ text: `The office of ${lived} opens at 9 o'clock`, category: "project" });
  const messages = [1, 2, 3].map((i) => ({
    id: `i${i}`,
    role: "user",
    name: next(),
    text: `I live in ${next()} now.`,
  }));
  await memory.ingest({ sessionId: "ingested", messages });
  await memory.recall(`Where is ${next()}?`);
  await memory.cite(first.id, { query: next() });
  now += 200 * 24 * 60 * 60 * 1000;
  const { journalId } = await memory.consolidate();
  for (const { id } of await memory.contradictions({ status: "open" })) {
    await memory.resolve(id, { resolution: "both_valid", note: next() });
  }
  if (journalId !== undefined) await memory.undo(journalId).catch(() => undefined);
  const exported = JSON.stringify(await memory.export());
  const renamed = exported.replaceAll("mem_", "mem_0").replaceAll(lived, next());
  await memory.import(JSON.parse(renamed));
  await throughline.context.assemble({ message: next(), signals: { currentFile: `src/${next()}.ts` } });
}

/** Marked words that occur in values, in any case and encoding. */
export function wordsIn(values: readonly Uint8Array[]): ReadonlySet<string> {
  const texts = values.flatMap(formsOf).map((form) => Buffer.from(form).toString("latin1").replaceAll("\0", ""));
  return new Set(texts.flatMap((text) => text.toLowerCase().match(MARK) ?? []));
}

const MAX_TEXT_LENGTH = 10_000;

/** The values themselves, and their decompressed and decoded forms. */
function formsOf(bytes: Uint8Array): Uint8Array[] {
  const text = bytes.length > MAX_TEXT_LENGTH ? "" : Buffer.from(bytes).toString("latin1");
  const pieces = text.match(/[\w+/-]{12,}/g) ?? [];
  const unpacked = pieces.flatMap((piece) => [Buffer.from(piece, "base64"), Buffer.from(piece, "hex")]);
  return [bytes, ...unpacked, ...[bytes, ...unpacked].flatMap(inflated)];
}

function inflated(bytes: Uint8Array): Uint8Array[] {
  if (!hasZlibHeader(bytes)) return [];
  try {
    return [inflateSync(bytes)];
  } catch {
    // The text was not compressed.
    return [];
  }
}

/** Trying to inflate other bytes would fail, and take most of the time. */
function hasZlibHeader([method = 0, flags = 0]: Uint8Array): boolean {
  return (method & 15) === 8 && (method * 256 + flags) % 31 === 0;
}
