import { omitUndefined } from "../../../internal/json.ts";
import type { StoredMemory } from "../../../ports/memory-store.ts";
import { frozenCopy } from "../../in-process/frozen-copy.ts";
import { isCurrent } from "../../memory-filter.ts";
import type { MemoryRow, Mention } from "../tables.ts";

/** Of a text that is looked up an index keeps so many characters; who looks it up compares the rest. */
const LONGEST = 200;

export function lookupKey(text: string): string {
  return text.slice(0, LONGEST);
}

/** A memory with all that it is looked up by. */
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

/** Those of whom something is said, each once. */
export function mentionsOf(space: string, ids: readonly (string | undefined)[]): Mention[] {
  return [...new Set(ids)].flatMap((id) => (id === undefined ? [] : [[space, id] as const]));
}
