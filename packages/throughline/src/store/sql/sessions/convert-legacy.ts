import { InvalidMessageError } from "../../../errors/input-errors.ts";
import { StoreError } from "../../../errors/store-errors.ts";
import type { Message } from "../../../message/message.ts";
import { openRows, sealRow } from "../encryption/sealed-rows.ts";
import { fromStoredText, numberOf, textOf } from "../row-values.ts";
import type { SqlRow, StoreDatabase, StoreTransaction } from "../sql-driver.ts";
import { MESSAGES, PARTS, partRow, readMessageRow } from "./message-log.ts";
import { findIds, insertUnique, type SessionScope } from "./session-scope.ts";

/** Rows per transaction. */
const BATCH = 200;

/** Position after which a conversion continues. */
export interface LegacyCursor {
  readonly owner: string;
  readonly sessionId: string;
  readonly position: number;
}

/** A flat message that could not be converted, with the reason. */
export interface UnreadableLegacy {
  readonly sessionId: string;
  readonly id: string;
  readonly problem: string;
}

export interface LegacyBatch {
  readonly converted: number;
  readonly unreadable: readonly UnreadableLegacy[];
  /** Position to continue from; undefined if everything is done. */
  readonly next?: LegacyCursor;
}

const START: LegacyCursor = { owner: "", sessionId: "", position: -1 };

/**
 * Splits the next flat messages of older versions into parts, in one transaction. Unreadable messages stay unchanged.
 */
export function convertLegacy(database: StoreDatabase, after: LegacyCursor = START): Promise<LegacyBatch> {
  return database.write(async (tx) => {
    const rows = await tx.all(
      `SELECT owner, session_id, position, id, role, created_at, tokens, content, rest, rest_packed FROM messages
       WHERE content IS NOT NULL AND (owner, session_id, position) > (?, ?, ?)
       ORDER BY owner, session_id, position LIMIT ${BATCH}`,
      [after.owner, after.sessionId, after.position],
    );
    const results = [];
    for (const row of openRows(tx, MESSAGES, rows)) results.push(await convertRow(database, tx, row));
    const last = rows.length < BATCH ? undefined : rows.at(-1);
    return {
      converted: results.filter((result) => result === undefined).length,
      unreadable: results.flatMap((result) => result ?? []),
      ...(last === undefined ? {} : { next: cursorOf(last) }),
    };
  });
}

function cursorOf(row: SqlRow): LegacyCursor {
  return { owner: textOf(row, "owner"), sessionId: textOf(row, "session_id"), position: numberOf(row, "position") };
}

async function convertRow(
  { dialect }: StoreDatabase,
  tx: StoreTransaction,
  row: SqlRow,
): Promise<UnreadableLegacy | undefined> {
  const { owner, sessionId, position } = cursorOf(row);
  const key = { userId: fromStoredText(owner), sessionId: fromStoredText(sessionId) };
  const session: SessionScope = { tx, dialect, key, names: [owner, sessionId] };
  try {
    const message = await readMessageRow(key, row, []);
    await refuseTaken(session, message);
    const rows = await Promise.all(message.parts.map((part, order) => partRow(session.names, position, order, part)));
    await insertUnique(session, PARTS, { at: position, rows, ids: () => message.parts.map(({ id }) => id) });
    const { rest = null, rest_packed = null } = sealRow(tx, MESSAGES, { ...row, content: null });
    await tx.run(
      `UPDATE messages SET content = NULL, rest = ?, rest_packed = ?
       WHERE owner = ? AND session_id = ? AND position = ?`,
      [rest, rest_packed, ...session.names, position],
    );
    return undefined;
  } catch (error) {
    const isKnown =
      error instanceof InvalidMessageError || (error instanceof StoreError && error.problem === "duplicate-id");
    if (!isKnown) throw error;
    return { sessionId: key.sessionId, id: fromStoredText(textOf(row, "id")), problem: error.message };
  }
}

/** Checked before writing: a failed statement would abort the whole transaction. */
async function refuseTaken(session: SessionScope, { parts }: Message): Promise<void> {
  const ids = parts.map(({ id }) => id);
  const [taken] = (await findIds(session, PARTS, ids)).keys();
  if (taken !== undefined) throw new StoreError("duplicate-id", `Duplicate id ${JSON.stringify(taken)}.`);
}
