import type { Message, Role } from "../message/message.ts";
import type { Part } from "../message/part.ts";
import type { Contradiction, Memory, Utterance } from "../ports/memory.ts";
import type { JournalChange, JournalEntry, SearchEntry, StoredMemory } from "../ports/memory-store.ts";
import type { SessionKey, StoredCompaction, StoredReceipt } from "../ports/store.ts";

/** A message of the session with one text part. */
export function said(key: SessionKey, id: string, text = `This is ${id}.`, role: Role = "user"): Message {
  return withParts(key, id, [{ id: `${id}.0`, type: "text", text, tokens: 4, countedBy: "o200k" }], role);
}

export function withParts(key: SessionKey, id: string, parts: readonly Part[], role: Role = "assistant"): Message {
  return { id, sessionId: key.sessionId, role, createdAt: 1_700_000_000_000, parts };
}

/** `count` messages with one part each. Their ids start at `m<from>`. */
export function conversation(key: SessionKey, count: number, from = 0): Message[] {
  return Array.from({ length: count }, (_, i) =>
    said(key, `m${from + i}`, `Message ${from + i}`, (from + i) % 2 === 0 ? "user" : "assistant"),
  );
}

export function compaction(id: string, round: number, detail: unknown = { standsFor: [id] }): StoredCompaction {
  return {
    id,
    round,
    createdAt: 1_700_000_000_000 + round,
    tokensBefore: 1000 * round,
    tokensAfter: 100 * round,
    summary: `## Session Summary (Compaction Round ${round})`,
    compactedMessageIds: ["m0", "m1"],
    detail,
  };
}

export function receipt(id: string, value: unknown = { why: id }): StoredReceipt {
  return { id, createdAt: 1_700_000_000_000, value };
}

/** Pseudo-random text, which does not compress well. */
export function noise(length: number): string {
  let seed = 42;
  return Array.from({ length }, () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return String.fromCharCode(33 + ((seed >> 16) % 90));
  }).join("");
}

/** Text that is hard to store: astral characters, lone surrogates, NUL, quotes, escapes, wildcards. */
export const HARD_TEXT = "Zürich 東京 👩‍👩‍👧 \"a\" 'b' \\u0041 \\ \0 \ud83d %_ $1 ? \u2028 \ufeff";

const TIME = 1_700_000_000_000;

/** A fact with the required fields only. */
export function memory(id: string, fields: Partial<Memory> = {}): Memory {
  return {
    id,
    kind: "fact",
    levels: { full: `All of ${id}`, summary: `Some of ${id}`, compressed: id, index: id },
    aliases: [],
    confidence: 0.75,
    mentions: 1,
    pinned: false,
    byHand: false,
    owner: "ann",
    scope: "user-private",
    createdAt: TIME,
    lastSeenAt: TIME,
    validFrom: TIME,
    usage: { retrieved: 0, cited: 0, ignored: 0 },
    source: {},
    artifacts: [],
    links: [],
    ...fields,
  };
}

/** A memory with all optional fields, and the same text in each. */
export function fullMemory(id: string, text: string): Memory {
  return {
    ...memory(id),
    kind: "episode",
    levels: { full: `${text} 1`, summary: `${text} 2`, compressed: `${text} 3`, index: `${text} 4` },
    key: text,
    value: text,
    subject: text,
    aliases: [text, "", "k8s"],
    category: "preference",
    confidence: 0.1 + 0.2,
    mentions: 7,
    pinned: true,
    byHand: true,
    owner: text,
    projectId: text,
    scope: "project-shared",
    createdAt: TIME + 0.5,
    lastSeenAt: 0,
    validFrom: -62_135_596_800_000,
    validTo: 2 ** 60,
    archivedAt: TIME,
    reviewedAt: TIME + 1,
    supersedes: `${text} older`,
    supersededBy: `${text} newer`,
    usage: { retrieved: 3, cited: 2, ignored: 1, lastAccessedAt: TIME + 9 },
    source: { sessionId: text, messageId: text, speaker: text, at: TIME, quote: text },
    earlierSources: [{ sessionId: `${text} before`, quote: text }, {}],
    servedLevel: "compressed",
    heard: { [text]: 2, ["__proto__"]: 1, constructor: 3 },
    artifacts: [
      { type: "file", ref: text },
      { type: "commit", ref: "b" },
      { type: "adr", ref: "a" },
      { type: "file", ref: text },
    ],
    links: [`${text} linked`, "b", "a"],
  };
}

export function storedMemory(
  id: string,
  fields: Partial<Memory> = {},
  handles: Partial<StoredMemory> = {},
): StoredMemory {
  return { memory: memory(id, fields), fingerprint: `words of ${id}`, ...handles };
}

export function turn(id: string, sessionId: string, position: number, fields: Partial<Utterance> = {}): Utterance {
  const said = { role: "user", text: `This is ${id}.`, createdAt: TIME, owner: "ann" };
  return { id, sessionId, position, ...said, ...fields };
}

/** A turn with all optional fields. */
export function fullTurn(id: string, text: string): Utterance {
  return {
    ...turn(id, text, 3),
    messageId: text,
    role: text,
    speaker: text,
    text,
    at: TIME - 1,
    owner: text,
    projectId: text,
    staleSince: TIME + 1,
    staleSpans: [{ start: 0, end: 5, since: TIME }],
    marks: [{ by: text, since: TIME, spans: [{ start: 0, end: 5 }] }, { since: TIME + 1 }],
    synthetic: true,
    pending: [{ text, category: "identity", key: text, value: text, subject: text, source: { quote: text } }],
  };
}

/** A search entry, with a vector if an embedder is given. */
export function entry(id: string, embedder?: string, bytes: readonly number[] = [1, 2, 3]): SearchEntry {
  const known = { id, entry: Uint8Array.from(bytes) };
  return embedder === undefined ? known : { ...known, embedder, vector: Uint8Array.of(127, 0, 129) };
}

export function contradiction(
  id: string,
  memoryA: string,
  memoryB: string,
  fields: Partial<Contradiction> = {},
): Contradiction {
  return { id, memoryA, memoryB, detectedAt: TIME, reason: `${memoryA} or ${memoryB}`, status: "open", ...fields };
}

export function change(id: string, before?: Memory): JournalChange {
  const known = { kind: "memory", id, after: `digest of ${id}` } as const;
  return before === undefined ? known : { ...known, before };
}

/** Journal change of a turn. */
export function turnChange(before: Utterance): JournalChange {
  return { kind: "turn", id: before.id, before, after: `digest of ${before.id}` };
}

export function journalEntry(id: string, changes: readonly JournalChange[] = []): JournalEntry {
  return { id, at: TIME, action: "remember", changes };
}
