import { StoreError } from "../../errors/store-error.ts";
import { isRecord, numberField, recordField, tryParseJson } from "../../internal/json.ts";

/**
 * Keeps a short text at once and for good, `localStorage` for example: what is being cleared stands there before anybody
 * sees it go.
 */
export interface TombstoneKeep {
  read(): string | undefined;
  /** `undefined` takes it away. */
  write(text: string | undefined): void;
}

/** What is cleared, since when and until when it can be undone. */
export interface Tombstone {
  readonly count: number;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly endsAt: number;
  /** What is to be erased, by id, with when each was last said. */
  readonly facts: Readonly<Record<string, number>>;
}

/** What stands in the keep; nothing where it cannot be read or is not ours. */
export function readTombstone(keep: TombstoneKeep): Tombstone | undefined {
  const value = tryParseJson(readText(keep) ?? "")?.value;
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

/** When everything was erased last, in milliseconds since 1970. It stays written down when the tombstone goes. */
export function readClearedAt(keep: TombstoneKeep): number | undefined {
  const value = tryParseJson(readText(keep) ?? "")?.value;
  return isRecord(value) ? numberField(value, "clearedAt") : undefined;
}

/** @throws StoreError where it cannot be written. */
export function writeTombstone(
  keep: TombstoneKeep,
  tombstone: Tombstone | undefined,
  clearedAt: number | undefined,
): void {
  const isNothing = tombstone === undefined && clearedAt === undefined;
  try {
    keep.write(isNothing ? undefined : JSON.stringify({ ...tombstone, clearedAt }));
  } catch (cause) {
    throw new StoreError("unavailable", "Clearing could not be written down, so nothing was cleared.", { cause });
  }
}

/** A keep that refuses to be read keeps nothing. */
function readText(keep: TombstoneKeep): string | undefined {
  try {
    return keep.read();
  } catch {
    return undefined;
  }
}
