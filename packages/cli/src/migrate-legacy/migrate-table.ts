import { setImmediate } from "node:timers/promises";
import { InvalidMessageError, type Message } from "throughline";
import { omitUndefined, UniqueIds } from "throughline/internal";
import { legacyToRichMessage } from "throughline/messages";
import type { Keeper } from "../import/import-writer.ts";
import type { Progress } from "../progress.ts";
import type { LegacyRow, LegacyTable } from "./legacy-table.ts";

/** After so many rows the process looks whether it was stopped. */
const PAUSE = 50;

/** A row that is no message, and why. */
export interface UnreadableRow {
  readonly sessionId: string | null;
  readonly id: string | null;
  readonly problem: string;
}

/** Hands every row that is a message to the keeper, and gives back the others. */
export async function migrateTable(
  table: LegacyTable,
  keeper: Keeper,
  progress: Progress,
  signal: AbortSignal,
): Promise<UnreadableRow[]> {
  const unreadable: UnreadableRow[] = [];
  let [session, ids] = ["", new UniqueIds()];
  let count = 0;
  for (const row of table.rows()) {
    const read = readRow(row);
    if (!("parts" in read)) unreadable.push(read);
    else {
      if (read.sessionId !== session) [session, ids] = [read.sessionId, new UniqueIds()];
      // Some tables take an id twice; both rows are messages.
      await keeper.add({ ...read, id: ids.take(read.id) });
    }
    progress.advance(1);
    count += 1;
    if (count % PAUSE === 0) await setImmediate();
    signal.throwIfAborted();
  }
  await keeper.flush();
  return unreadable;
}

function readRow({ id, sessionId, role = "", content, createdAt }: LegacyRow): Message | UnreadableRow {
  const unreadable = (problem: string) => ({ sessionId: sessionId ?? null, id: id ?? null, problem });
  if (id === undefined || sessionId === undefined) return unreadable(`no ${id === undefined ? "id" : "session_id"}`);
  if (content === undefined) return unreadable("no content");
  try {
    return legacyToRichMessage(omitUndefined({ id, sessionId, role, content, createdAt }));
  } catch (error) {
    if (error instanceof InvalidMessageError) return unreadable(error.problem);
    throw error;
  }
}
