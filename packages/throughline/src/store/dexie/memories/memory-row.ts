import { omitUndefined } from "../../../internal/json.ts";
import type { StoredMemory } from "../../../ports/memory-store.ts";
import { frozenCopy } from "../../in-process/frozen-copy.ts";
import { isCurrent } from "../../memory-filter.ts";
import type { MemoryRow, Mention } from "../tables.ts";

/** Characters of a text that its index keeps. Lookups compare the rest themselves. */
const MAX_KEY_CHARS = 200;

export function lookupKey(text: string): string {
  return text.slice(0, MAX_KEY_CHARS);
}

/** A memory with all its lookup columns. */
export function memoryRow(space: string, { memory, slot, fingerprint }: StoredMemory): MemoryRow {
  const { links, supersedes, supersededBy } = memory;
  return omitUndefined({
    space,
    id: memory.id,
    category: memory.category,
    lastSeen: memory.lastSeenAt,
    confidence: memory.confidence,
    lastSeenConversationId: memory.source.sessionId,
    slot,
    slotKey: slot === undefined ? undefined : lookupKey(slot),
    fingerprint,
    fingerprintKey: lookupKey(fingerprint),
    ofChat: memory.category === undefined ? undefined : (1 as const),
    current: isCurrent(memory) ? (1 as const) : undefined,
    mentions: mentionsOf(space, [...links, supersedes, supersededBy]),
    memory: frozenCopy(memory),
  });
}

/** Subjects of the memory, without duplicates. */
export function mentionsOf(space: string, ids: readonly (string | undefined)[]): Mention[] {
  return [...new Set(ids)].flatMap((id) => (id === undefined ? [] : [[space, id] as const]));
}
