import { isRecord, type JsonRecord, sameJson } from "../internal/json.ts";
import type { ReceiptItem, ReceiptRecord } from "./receipt.ts";

/**
 * A whole record is stored after this many changes, so that reading one stays cheap. The number grows with the items of
 * the window: a whole record is as large as the changes of many turns then.
 */
const MIN_CHAIN = 32;
const MAX_CHAIN = 128;
const ITEMS_PER_CHANGE = 4;

/** A record in the store: whole, or its changes since the record before it. */
export type StoredRecord =
  | { readonly whole: PackedRecord }
  | {
      /** Number of records between this one and the last whole record. */
      readonly back: number;
      /** Fields that changed. A list is written as a list change. */
      readonly changed: JsonRecord;
      /** Fields that the record no longer has. */
      readonly gone?: readonly string[];
    };

/** A record with its items in short form: `rule role tokens messageId`, if an item has nothing else. */
interface PackedRecord extends Omit<ReceiptRecord, "items"> {
  readonly items: readonly (string | ReceiptItem)[];
}

/** Elements of a new list: an array is a range of the old list (start, length), anything else a new element. */
type ListChange = readonly unknown[];

/** A stored record that the next one can be based on. */
export interface ReceiptBase {
  readonly packed: PackedRecord;
  readonly back: number;
}

/** Encodes a record against the one before it; whole if there is none or the chain is too long. */
export function encodeRecord(record: ReceiptRecord, base: ReceiptBase | undefined): [StoredRecord, ReceiptBase] {
  const packed = { ...record, items: record.items.map(packItem) };
  const maxBack = Math.min(MAX_CHAIN, Math.max(MIN_CHAIN, Math.floor(record.items.length / ITEMS_PER_CHANGE)));
  const back = (base?.back ?? 0) + 1;
  if (base === undefined || back >= maxBack) return [{ whole: packed }, { packed, back: 0 }];
  return [
    { back, ...changesOf({ ...base.packed }, { ...packed }) },
    { packed, back },
  ];
}

/** Number of records before this one that are needed to read it; 0 for a whole one, and for receipts of version 0.1. */
export function recordsBefore(stored: unknown): number {
  return isRecord(stored) && isRecord(stored.changed) && typeof stored.back === "number" ? stored.back : 0;
}

/**
 * Decodes the records of consecutive receipts, the first of which needs none before it.
 *
 * @returns a record for each; `undefined` if the value is not a record, but a whole receipt of version 0.1, or if the
 *   record before it is missing.
 */
export function decodeRecords(stored: readonly unknown[]): (ReceiptRecord | undefined)[] {
  let base: PackedRecord | undefined;
  return stored.map((value) => {
    base = decodeRecord(value, base);
    return base && { ...base, items: base.items.map(unpackItem) };
  });
}

function decodeRecord(stored: unknown, base: PackedRecord | undefined): PackedRecord | undefined {
  if (!isRecord(stored)) return undefined;
  if (isRecord(stored.whole)) return stored.whole as unknown as PackedRecord;
  if (base === undefined || !isRecord(stored.changed)) return undefined;
  const decoded: Record<string, unknown> = { ...base };
  for (const [name, change] of Object.entries(stored.changed)) {
    decoded[name] = Array.isArray(change) ? applyListChange(toList(decoded[name]), change) : change;
  }
  for (const name of toList(stored.gone)) delete decoded[String(name)];
  return decoded as unknown as PackedRecord;
}

/** Cache: the items of messages that stay in the window are the same in each turn. */
const packedItems = new WeakMap<ReceiptItem, string | ReceiptItem>();

function packItem(item: ReceiptItem): string | ReceiptItem {
  const known = packedItems.get(item);
  if (known !== undefined) return known;
  const { rule, role, tokens, messageId, ...others } = item;
  const packed = Object.keys(others).length === 0 ? `${rule} ${role} ${tokens} ${messageId}` : item;
  packedItems.set(item, packed);
  return packed;
}

const PACKED_ITEM = /^(\S+) (\S+) (\S+) (.*)$/s;

function unpackItem(item: string | ReceiptItem): ReceiptItem {
  if (typeof item !== "string") return item;
  const [, rule, role, tokens, messageId = ""] = PACKED_ITEM.exec(item) ?? [];
  return { rule: rule as ReceiptItem["rule"], role: role as ReceiptItem["role"], tokens: Number(tokens), messageId };
}

function changesOf(before: JsonRecord, after: JsonRecord): { changed: JsonRecord; gone?: readonly string[] } {
  const changed: Record<string, unknown> = {};
  const gone = Object.keys(before).filter((name) => !(name in after));
  for (const [name, value] of Object.entries(after)) {
    if (sameJson(before[name], value)) continue;
    changed[name] = Array.isArray(value) ? listChange(toList(before[name]), value) : value;
  }
  return gone.length === 0 ? { changed } : { changed, gone };
}

/** Describes a new list by ranges of the old one, which is in much the same order. */
function listChange(before: readonly unknown[], after: readonly unknown[]): ListChange {
  const change: unknown[] = [];
  let places: ReadonlyMap<string, number> | undefined;
  let range: [start: number, length: number] | undefined;
  let next = 0;
  for (const element of after) {
    let at = next < before.length && sameJson(before[next], element) ? next : -1;
    if (at < 0 && next < before.length) {
      places ??= new Map(before.map((one, index) => [JSON.stringify(one), index]));
      at = places.get(JSON.stringify(element)) ?? -1;
    }
    if (at < 0) {
      change.push(element);
      range = undefined;
      continue;
    }
    if (range !== undefined && range[0] + range[1] === at) range[1] += 1;
    else {
      range = [at, 1];
      change.push(range);
    }
    next = at + 1;
  }
  return change;
}

function applyListChange(before: readonly unknown[], change: ListChange): unknown[] {
  return change.flatMap((entry) => {
    if (!Array.isArray(entry)) return [entry];
    const [start, length] = entry as [number, number];
    return before.slice(start, start + length);
  });
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
