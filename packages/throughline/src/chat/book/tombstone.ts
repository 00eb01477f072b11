import { StoreError } from "../../errors/store-error.ts";
import { isRecord, numberField, recordField, tryParseJson } from "../../internal/json.ts";

/**
 * Synchronous, durable storage for a short text, such as `localStorage`. A clear is stored here before it becomes
 * visible.
 */
export interface StoredText {
  /** Returns the stored text; `undefined` if there is none. */
  read(): string | undefined;
  /**
   * Stores the text.
   *
   * @param text Text to store; `undefined` removes it.
   */
  write(text: string | undefined): void;
}

/** A pending clear with its start and the end of its undo time. */
export interface Tombstone {
  readonly count: number;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly endsAt: number;
  /** Id of each fact to erase → its last mention. */
  readonly facts: Readonly<Record<string, number>>;
}

/** Reads the tombstone; `undefined` if there is none or it is invalid. */
export function readTombstone(stored: StoredText): Tombstone | undefined {
  const value = tryParseJson(readText(stored) ?? "")?.value;
  if (!isRecord(value)) return undefined;
  const [count, startedAt, endsAt] = [
    numberField(value, "count"),
    numberField(value, "startedAt"),
    numberField(value, "endsAt"),
  ];
  const facts = recordField(value, "facts");
  if (count === undefined || startedAt === undefined || endsAt === undefined || facts === undefined) return undefined;
  const times = Object.entries(facts).filter((entry): entry is [string, number] => typeof entry[1] === "number");
  return { count, startedAt, endsAt, facts: Object.fromEntries(times) };
}

/** Time of the last completed clear in milliseconds since 1970. Stays stored without a tombstone. */
export function readClearedAt(stored: StoredText): number | undefined {
  const value = tryParseJson(readText(stored) ?? "")?.value;
  return isRecord(value) ? numberField(value, "clearedAt") : undefined;
}

/** @throws StoreError if it cannot be stored. */
export function writeTombstone(
  stored: StoredText,
  tombstone: Tombstone | undefined,
  clearedAt: number | undefined,
): void {
  const isNothing = tombstone === undefined && clearedAt === undefined;
  try {
    stored.write(isNothing ? undefined : JSON.stringify({ ...tombstone, clearedAt }));
  } catch (cause) {
    throw new StoreError("unavailable", "Could not store the pending clear, so nothing was cleared.", { cause });
  }
}

/** A storage that throws counts as empty. */
function readText(stored: StoredText): string | undefined {
  try {
    return stored.read();
  } catch {
    return undefined;
  }
}
