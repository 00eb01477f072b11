import { StoreError } from "../../errors/store-errors.ts";
import type { SessionKey, SessionStore, StoredReceipt } from "../../ports/store.ts";
import { type Receipt, type ReceiptDraft, toReceipt } from "../../receipt/receipt.ts";
import { decodeRecords, encodeRecord, type ReceiptBase, recordsBefore } from "../../receipt/receipt-delta.ts";
import { fromStored } from "./session-state.ts";

/** The newest receipt of the session, as far as this process knows. */
interface LastReceipt {
  /** Its number in the session, from 1. */
  readonly number: number;
  readonly id: string;
  readonly base: ReceiptBase;
}

/** A receipt that is about to be stored. */
interface NextReceipt {
  readonly receipt: Receipt;
  readonly stored: StoredReceipt;
  readonly last: LastReceipt;
}

/**
 * The receipts of one session. Each is stored as its changes since the one before, if this process stored that one too.
 */
export class ReceiptLog {
  readonly #sessions: SessionStore;
  readonly #key: SessionKey;
  #last: LastReceipt | undefined;

  constructor(sessions: SessionStore, key: SessionKey) {
    this.#sessions = sessions;
    this.#key = key;
  }

  /** Encodes a receipt behind this many others. */
  next({ createdAt, record, latest }: ReceiptDraft, count: number): NextReceipt {
    const { sessionId } = this.#key;
    const number = count + 1;
    const id = `${sessionId}/receipt-${number}`;
    const [value, base] = encodeRecord(record, this.#last?.number === count ? this.#last.base : undefined);
    const receipt = toReceipt({ id, sessionId, createdAt }, record, latest);
    return { receipt, stored: { id, createdAt, value }, last: { number, id, base } };
  }

  /** Call it when the receipt is stored. */
  added({ last }: NextReceipt): void {
    this.#last = last;
  }

  /** Call it when another writer may have added receipts. */
  forget(): void {
    this.#last = undefined;
  }

  /** Id, model and count of the newest of `count` receipts. */
  async newest(count: number): Promise<Pick<Receipt, "id" | "modelId" | "counted"> | undefined> {
    if (this.#last?.number === count) return { ...this.#last.base.packed, id: this.#last.id };
    return (await this.read(1))[0];
  }

  /** Reads the newest receipts, oldest first. */
  async read(limit?: number): Promise<readonly Receipt[]> {
    const wanted = await this.#sessions.receipts(this.#key, limit);
    let chain = wanted;
    // Another process may add receipts between two reads: then the first one is still based on an earlier one.
    for (let [first] = chain; first && recordsBefore(first.value) > 0; [first] = chain) {
      const longer = await this.#sessions.receipts(this.#key, chain.length + recordsBefore(first.value));
      if (longer.length <= chain.length) throw missingBase(first);
      chain = longer;
    }
    return this.#decode(chain, new Set(wanted.map(({ id }) => id)));
  }

  async #decode(chain: readonly StoredReceipt[], wanted: ReadonlySet<string>): Promise<readonly Receipt[]> {
    const records = decodeRecords(chain.map(({ value }) => value));
    const broken = chain.find(({ value }, i) => records[i] === undefined && recordsBefore(value) > 0);
    if (broken !== undefined) throw missingBase(broken);
    const ids = new Set(chain.flatMap(({ id }, i) => (wanted.has(id) ? (records[i]?.compaction ?? []) : [])));
    const found = ids.size === 0 ? [] : await this.#sessions.compactions(this.#key, [...ids]);
    const { sessionId } = this.#key;
    const events = new Map(found.map((event) => [event.id, fromStored(event, sessionId)]));
    return chain.flatMap(({ id, createdAt, value }, i) => {
      if (!wanted.has(id)) return [];
      const record = records[i];
      if (record === undefined) return [value as Receipt];
      return [toReceipt({ id, sessionId, createdAt }, record, events.get(record.compaction ?? ""))];
    });
  }
}

function missingBase({ id }: { readonly id: string }): StoreError {
  return new StoreError("corrupt", `Cannot read receipt ${id}: the receipt that it is based on is missing.`);
}
