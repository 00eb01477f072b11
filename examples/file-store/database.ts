import { existsSync, readFileSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { deserialize, serialize } from "node:v8";
import { type Contradiction, type Message, StoreError } from "throughline";
import type { Utterance } from "throughline/memory";
import type {
  JournalEntry,
  NewJudgement,
  StoredCompaction,
  StoredDocument,
  StoredMemory,
  StoredReceipt,
  StoredSearchEntry,
} from "throughline/store";

interface Lease {
  readonly holder: string;
  readonly until: number;
}

export interface SessionData {
  readonly userId: string;
  readonly sessionId: string;
  readonly createdAt: number;
  updatedAt: number;
  revision: number;
  state: unknown;
  readonly messages: Message[];
  readonly marks: Map<string, number>;
  readonly compactions: StoredCompaction[];
  readonly receipts: StoredReceipt[];
  /** One lease, under the name "". */
  readonly leases: Map<string, Lease>;
}

export interface SpaceData {
  revision: number;
  epoch: number;
  readonly memories: Map<string, StoredMemory>;
  readonly turns: Map<string, Utterance>;
  readonly entries: Map<string, StoredSearchEntry>;
  readonly contradictions: Map<string, Contradiction>;
  /** Oldest first. */
  readonly journal: Map<string, JournalEntry>;
  readonly judgements: Map<string, NewJudgement>;
  readonly documents: Map<string, StoredDocument>;
  readonly blobs: Map<string, Uint8Array>;
  readonly leases: Map<string, Lease>;
}

export interface Data {
  readonly sessions: Map<string, SessionData>;
  readonly spaces: Map<string, SpaceData>;
}

/** Transactions: a write works on a copy, which replaces the data when the file is written. */
export class Database {
  readonly #path: string;
  #data: Data;
  #writes: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(path: string) {
    this.#path = path;
    this.#data = existsSync(path) ? deserialize(readFileSync(path)) : { sessions: new Map(), spaces: new Map() };
  }

  async read<T>(select: (data: Data) => T): Promise<T> {
    this.#refuseClosed();
    return structuredClone(select(this.#data));
  }

  /** Nothing is written if `change` throws or returns `false`. */
  async write<T>(change: (draft: Data) => T): Promise<T> {
    this.#refuseClosed();
    const written = this.#writes.then(async () => {
      const draft = structuredClone(this.#data);
      const result = change(draft);
      if (result === false) return result;
      await writeFile(`${this.#path}.new`, serialize(draft));
      await rename(`${this.#path}.new`, this.#path);
      this.#data = draft;
      return structuredClone(result);
    });
    this.#writes = written.catch(() => undefined);
    return written;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#writes;
  }

  #refuseClosed(): void {
    if (this.#isClosed) throw new StoreError("closed", "The store is closed.");
  }
}

export function spaceOf(data: Data, name: string): SpaceData {
  const memories = { memories: new Map(), turns: new Map(), entries: new Map(), contradictions: new Map() };
  const others = { journal: new Map(), judgements: new Map(), documents: new Map(), blobs: new Map() };
  return data.spaces.get(name) ?? { revision: 0, epoch: 0, ...memories, ...others, leases: new Map() };
}

/** The space to write to, which is created if it does not exist. */
export function openSpace(data: Data, name: string): SpaceData {
  const space = spaceOf(data, name);
  data.spaces.set(name, space);
  return space;
}

/** True if the holder has the lease now. */
export function lease(leases: Map<string, Lease>, work: string, holder: string, milliseconds: number): boolean {
  const [known, now] = [leases.get(work), Date.now()];
  if (!(milliseconds > 0)) {
    if (known?.holder === holder) leases.delete(work);
    return false;
  }
  if (known !== undefined && known.holder !== holder && known.until > now) return false;
  leases.set(work, { holder, until: now + milliseconds });
  return true;
}

export function refuseTwice(what: string, items: readonly { readonly id: string }[]): void {
  const seen = new Set<string>();
  for (const { id } of items) {
    if (seen.has(id)) throw new StoreError("duplicate-id", `The id of ${what} ${JSON.stringify(id)} is taken.`);
    seen.add(id);
  }
}

export function pick<T>(items: ReadonlyMap<string, T>, ids: readonly string[]): T[] {
  return ids.flatMap((id) => items.get(id) ?? []);
}

/** Items sorted by a key, at most `limit` after a key. */
export function page<T>(items: readonly T[], keyOf: (item: T) => string, after?: string, limit?: number): T[] {
  const sorted = items.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  return sorted.filter((item) => after === undefined || keyOf(item) > after).slice(0, limit);
}

export function namesIn(items: ReadonlyMap<string, unknown>, prefix: string): string[] {
  return [...items.keys()].filter((name) => name.startsWith(prefix)).sort();
}

export function deleteNamed(items: Map<string, unknown>, name: string | { readonly prefix: string }): void {
  for (const one of typeof name === "string" ? [name] : namesIn(items, name.prefix)) items.delete(one);
}
