import { setImmediate } from "node:timers/promises";
import type { LegacyBatch, LegacyCursor, SqlStore, UnreadableLegacy } from "throughline/sqlite";
import { count } from "../format-values.ts";
import { printableLine } from "../printable.ts";
import type { Progress } from "../progress.ts";

/** What became of the flat messages in our own data. */
export interface Conversion {
  readonly data: string;
  readonly converted: number;
  readonly unreadable: readonly UnreadableLegacy[];
}

/** Gives the flat messages in our own data their parts, batch by batch: stopped, it goes on where it was. */
export async function convertKept(
  store: SqlStore,
  data: string,
  progress: Progress,
  signal: AbortSignal,
): Promise<Conversion> {
  const unreadable: UnreadableLegacy[] = [];
  let converted = 0;
  let after: LegacyCursor | undefined;
  do {
    const batch: LegacyBatch = await store.convertLegacy(after);
    converted += batch.converted;
    unreadable.push(...batch.unreadable);
    progress.advance(batch.converted + batch.unreadable.length);
    after = batch.next;
    await setImmediate();
    signal.throwIfAborted();
  } while (after !== undefined);
  return { data, converted, unreadable };
}

/** The same for people. */
export function printConversion({ data, converted, unreadable }: Conversion): string {
  const lines = [
    converted === 0 && unreadable.length === 0
      ? `There are no flat messages in ${data}.`
      : `${count(converted, "flat message")} in ${data} got parts.`,
    ...unreadable.map(
      ({ sessionId, id, problem }) =>
        `  session ${printableLine(sessionId)}, id ${printableLine(id)} stays as it is: ${printableLine(problem)}`,
    ),
  ];
  return `${lines.join("\n")}\n`;
}
