import type { Message, Role } from "../message/message.ts";
import type { Part } from "../message/part.ts";
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
