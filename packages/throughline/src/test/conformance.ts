import { StoreError, type StoreProblem } from "../errors/store-errors.ts";
import { sameJson } from "../internal/json.ts";
import type { MemoryStore } from "../ports/memory-store.ts";
import type { ServerStore } from "../ports/server-store.ts";
import type { DocumentStore, SessionKey, Store } from "../ports/store.ts";

/** Throws if the condition is false. `expectation` is a sentence for the error message: "it is revoked". */
export function assert(condition: boolean, expectation: string): void {
  if (!condition) throw new Error(`Expected: ${expectation}.`);
}

/** Throws if two values differ as plain data. Bytes and maps are compared by content. `subject` is for the message. */
export function assertSame(actual: unknown, expected: unknown, subject: string): void {
  const [found, wanted] = [toComparable(actual), toComparable(expected)];
  if (!sameJson(found, wanted)) throw new Error(`${subject}: expected ${shorten(wanted)}, got ${shorten(found)}.`);
}

/** Throws unless the promise is rejected with a `StoreError` for this problem. */
export async function assertRefused(result: Promise<unknown>, problem: StoreProblem, subject: string): Promise<void> {
  const error = await result.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  const found = error instanceof StoreError ? error.problem : String(error);
  if (found !== problem) throw new Error(`${subject}: expected a StoreError "${problem}", got ${found}.`);
}

/** Polls until the condition is true. Fails after 10,000 attempts, so that a slow machine has enough time. */
export async function eventually(condition: () => boolean | Promise<boolean>, expectation: string): Promise<void> {
  for (let tries = 0; tries < 10_000; tries++) {
    if (await condition()) return;
    await new Promise<void>((resolve) => {
      setTimeout(resolve, 10);
    });
  }
  throw new Error(`Expected eventually: ${expectation}.`);
}

/** A value as plain JSON data, without undefined fields. */
function toComparable(value: unknown): unknown {
  if (value instanceof Uint8Array) return { kind: "bytes", bytes: [...value] };
  if (value instanceof Map) return { kind: "map", entries: [...value].sort().map(toComparable) };
  if (Array.isArray(value)) return value.map(toComparable);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(fields.map(([name, field]) => [name, toComparable(field)]));
}

function shorten(value: unknown): string {
  const text = JSON.stringify(value) ?? "undefined";
  return text.length > 500 ? `${text.slice(0, 500)}… (${text.length} characters)` : text;
}

/** A check that every store has to pass. `run` rejects if the store fails it. */
export interface StoreCheck {
  readonly name: string;
  readonly run: () => Promise<void>;
}

/** A named check of a store. It gets a new, unused session. */
export type StoreFact = readonly [name: string, prove: (store: Store, key: SessionKey) => Promise<void>];

/** A named check of a memory store. It gets a new, unused space. */
export type MemoryFact = readonly [name: string, prove: (store: MemoryStore, space: string) => Promise<void>];

export function memoryToStoreFact([name, prove]: MemoryFact): StoreFact {
  return [name, (store, { userId }) => prove(store.memories, `user:${userId}`)];
}

/** A named check of a document store. It gets a new, unused space. */
export type DocumentFact = readonly [name: string, prove: (store: DocumentStore, space: string) => Promise<void>];

export function documentToStoreFact([name, prove]: DocumentFact): StoreFact {
  return [name, (store, { userId }) => prove(store.documents, `user:${userId}`)];
}

/** A random session of a random owner, because several runs may share a database. */
export function freshKey(): SessionKey {
  const random = () => Math.random().toString(36).slice(2);
  return { userId: `owner-${random()}${random()}`, sessionId: `session-${random()}` };
}

/** A named check of a server store. It gets a new, unused owner. */
export type ServerFact = readonly [name: string, prove: (store: ServerStore, owner: string) => Promise<void>];
