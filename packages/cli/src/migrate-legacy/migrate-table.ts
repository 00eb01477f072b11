import { setImmediate } from "node:timers/promises";
import { InvalidMessageError, type Message } from "throughline";
import { omitUndefined, UniqueIds } from "throughline/internal";
import { legacyToRichMessage } from "throughline/messages";
import type { ImportWriter } from "../import/import-writer.ts";
import type { Progress } from "../progress.ts";
import type { LegacyRow, LegacyTable } from "./legacy-table.ts";

/** Rows between checks for Ctrl-C. */
const PAUSE = 50;

/** A row that is not a message, and the reason. */
export interface UnreadableRow {
  readonly sessionId: string | null;
  readonly id: string | null;
  readonly problem: string;
}

/** Passes every valid row to the writer, and returns the others. */
export async function migrateTable(
  table: LegacyTable,
  writer: ImportWriter,
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
      // Some tables have duplicate ids; both rows are messages.
      await writer.add({ ...read, id: ids.take(read.id) });
    }
    progress.advance(1);
    count += 1;
    if (count % PAUSE === 0) await setImmediate();
    signal.throwIfAborted();
  }
  await writer.flush();
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
