import { omitUndefined } from "../../internal/json.ts";
import type { Commit, SessionKey } from "../../ports/store.ts";
import { frozenCopy } from "../in-process/frozen-copy.ts";
import { addUnique } from "./add-unique.ts";
import type { Database } from "./database.ts";
import { partsThatAre } from "./message-log.ts";
import { newSession } from "./session-row.ts";
import type { Tables } from "./tables.ts";

/** Writes the whole commit; `false` if another writer committed since. */
export function writeCommit(database: Database, key: SessionKey, commit: Commit): Promise<boolean> {
  const { userId, sessionId } = key;
  // Built before the transaction starts, so that others do not wait.
  const state = frozenCopy(commit.state);
  const [compactions, receipts] = [rowsOf(key, commit.compactions), rowsOf(key, commit.receipts)];
  const tables = ["sessions", "states", "compactions", "receipts", "marks", "messages"] as const;
  return database.write(tables, async (all) => {
    const now = database.clock.now();
    const session = (await all.sessions.get([userId, sessionId])) ?? newSession(key, now);
    if (session.revision !== commit.revision) return false;
    await addUnique(all.compactions, behind(session.compactions, compactions), "compaction");
    await addUnique(all.receipts, behind(session.receipts, receipts), "receipt");
    if (state !== undefined) await all.states.put({ owner: userId, sessionId, state });
    if (commit.marks !== undefined) await mark(all, key, commit.marks);
    await all.sessions.put(
      omitUndefined({
        ...session,
        revision: session.revision + 1,
        compactions: session.compactions + compactions.length,
        receipts: session.receipts + receipts.length,
        lastCompactionAt: compactions.at(-1)?.value.createdAt ?? session.lastCompactionAt,
        updatedAt: now,
      }),
    );
    return true;
  });
}

function rowsOf<T extends { readonly id: string }>({ userId, sessionId }: SessionKey, values: readonly T[] = []) {
  return values.map((value) => ({ owner: userId, sessionId, id: value.id, value: frozenCopy(value) }));
}

/** Rows with their positions, after the existing ones. */
function behind<T>(count: number, rows: readonly T[]) {
  return rows.map((row, i) => ({ ...row, position: count + i }));
}

/** Ignores missing parts. */
async function mark(tables: Tables, key: SessionKey, marks: ReadonlyMap<string, number>): Promise<void> {
  const { userId, sessionId } = key;
  const parts = await partsThatAre(tables, key, [...marks.keys()]);
  const known = [...marks].filter(([partId]) => parts.has(partId));
  await tables.marks.bulkPut(known.map(([partId, at]) => ({ owner: userId, sessionId, partId, at })));
}
