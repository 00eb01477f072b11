import { StoreError } from "../../../errors/store-errors.ts";
import type {
  AnswerClaim,
  AnswerFilter,
  AnswerStore,
  InterruptedRequest,
  StoredAnswer,
} from "../../../ports/server-store.ts";
import { openRows, sealRow } from "../encryption/sealed-rows.ts";
import { lookupKey } from "../memories/memory-rows.ts";
import { numberOf, pack, toOptionalText, toStoredText, unpack } from "../row-values.ts";
import { latestLeaseEnd, leaseEnd } from "../sessions/session-rows.ts";
import type { SqlRow, SqlTransaction, SqlValue, StoreDatabase, StoreTransaction } from "../sql-driver.ts";
import type { Table } from "../statements.ts";
import { runWithNote } from "../store-database.ts";

export const ANSWERS: Table = {
  name: "kept_answers",
  columns: ["owner", "key", "status", "answer", "answer_packed"],
  sealing: { key: ["owner", "key"], content: { columns: ["answer", "answer_packed"], into: "answer_packed" } },
};

/** `is_discarded` of a claim whose notes were erased by a purge. */
const NOTES_ERASED = 2;

/**
 * Answers in a database. Until there is an answer, its columns hold the notes of the writes that were committed under
 * the claim.
 */
export function sqlAnswerStore(database: StoreDatabase): AnswerStore {
  return {
    // The request is stored with the notes or with the answer: before that there is nothing to compare it with.
    claim: (owner, key, _request, milliseconds, holder) => claim(database, claimOf(owner, key, holder), milliseconds),
    noting: (claimed, note, write) =>
      runWithNote(async (tx, result) => {
        const value = note(result);
        if (value !== undefined) await addNote(tx, claimed, value);
      }, write),
    save: (owner, key, answer, holder) => save(database, claimOf(owner, key, holder), answer),
    async release(owner, key, holder) {
      await database.write(async (tx) => release(tx, claimOf(owner, key, holder), await database.now(tx)));
    },
    sweep: (before) =>
      database.write(async (tx) => {
        const text = "DELETE FROM kept_answers WHERE at < ? AND (claimed_until IS NULL OR claimed_until <= ?)";
        return tx.run(text, [before, await database.now(tx)]);
      }),
    erase: (filter = {}) => database.erase((tx) => erase(tx, filter)),
  };
}

interface AnswerKey {
  readonly owner: string;
  readonly key: string;
}

interface Claim extends AnswerKey {
  readonly holder: string | null;
}

function keyOf(owner: string, key: string): AnswerKey {
  return { owner: toStoredText(owner), key: lookupKey(key) };
}

function claimOf(owner: string, key: string, holder: string | undefined): Claim {
  return { ...keyOf(owner, key), holder: toOptionalText(holder) };
}

function claim(database: StoreDatabase, claimed: Claim, milliseconds: number): ReturnType<AnswerStore["claim"]> {
  const { owner, key, holder } = claimed;
  return database.write(async (tx) => {
    for (;;) {
      const now = await database.now(tx);
      // A holder that claims again keeps its claim, also after a purge: its answer may still contain purged data.
      const [taken] = await tx.all(
        `INSERT INTO kept_answers (owner, key, at, claimed_until, claimed_by, is_discarded) VALUES (?, ?, ?, ?, ?, 0)
         ON CONFLICT (owner, key) DO UPDATE SET at = excluded.at, claimed_until = excluded.claimed_until,
           claimed_by = excluded.claimed_by, is_discarded =
             CASE WHEN kept_answers.claimed_by = excluded.claimed_by OR kept_answers.is_discarded = ${NOTES_ERASED}
               THEN kept_answers.is_discarded ELSE 0 END
         WHERE kept_answers.claimed_until <= ? OR kept_answers.claimed_until > ? OR
           (kept_answers.claimed_until IS NOT NULL AND kept_answers.claimed_by = excluded.claimed_by)
         RETURNING is_discarded, answer, answer_packed`,
        [owner, key, now, leaseEnd(now, milliseconds), holder, now, latestLeaseEnd(now)],
      );
      if (taken !== undefined) return interrupted(tx, claimed, taken) ?? "taken";
      const found = await find(tx, claimed);
      // The key may have been released since.
      if (found !== undefined) return found;
    }
  });
}

/** The notes of an earlier holder, if there are any. */
function interrupted(tx: StoreTransaction, { owner, key }: AnswerKey, row: SqlRow): InterruptedRequest | undefined {
  if (row.is_discarded === NOTES_ERASED) return { request: "", notes: undefined };
  const [opened] = openRows(tx, ANSWERS, [row], { owner, key });
  return opened && (unpack(opened, "answer") as InterruptedRequest | undefined);
}

/**
 * Stores a note with the claim, which is locked until the transaction ends, so that no other server takes it over
 * before the commit.
 */
async function addNote(tx: StoreTransaction, claim: AnswerClaim, note: unknown): Promise<void> {
  const claimed = claimOf(claim.owner, claim.key, claim.holder);
  const { owner, key } = claimed;
  const [ofClaim, names] = isClaim(claimed);
  const lock = `UPDATE kept_answers SET at = at WHERE ${ofClaim} RETURNING is_discarded, answer, answer_packed`;
  const [row] = await tx.all(lock, names);
  if (row === undefined) {
    const hint = "Send the request again with the same key to get its answer.";
    throw new StoreError("unavailable", "Another server took over the request with this key.", { hint });
  }
  if (numberOf(row, "is_discarded") > 0) {
    await tx.run(`UPDATE kept_answers SET is_discarded = ${NOTES_ERASED} WHERE ${ofClaim}`, names);
    return;
  }
  const { notes = [] } = interrupted(tx, claimed, row) ?? {};
  const [plain, packed] = pack({ request: claim.request, notes: [...notes, note] });
  const sealed = sealRow(tx, ANSWERS, { owner, key, answer: plain, answer_packed: packed });
  const text = `UPDATE kept_answers SET answer = ?, answer_packed = ? WHERE ${ofClaim}`;
  await tx.run(text, [sealed.answer ?? null, sealed.answer_packed ?? null, ...names]);
}

async function find(tx: StoreTransaction, { owner, key }: AnswerKey): Promise<StoredAnswer | "busy" | undefined> {
  const text = "SELECT status, answer, answer_packed FROM kept_answers WHERE owner = ? AND key = ?";
  const [row] = openRows(tx, ANSWERS, await tx.all(text, [owner, key]), { owner, key });
  if (row === undefined) return undefined;
  if (row.status === null) return "busy";
  return { ...(unpack(row, "answer") as Omit<StoredAnswer, "status">), status: numberOf(row, "status") };
}

async function save(database: StoreDatabase, claimed: Claim, answer: StoredAnswer): Promise<void> {
  const { owner, key } = claimed;
  const { request, status, headers, body } = answer;
  // Built before the transaction starts, so that others do not wait.
  const [plain, packed] = pack({ request, headers, body });
  await database.write(async (tx) => {
    const sealed = sealRow(tx, ANSWERS, { owner, key, answer: plain, answer_packed: packed });
    const [ofClaim, names] = isClaim(claimed);
    const text = `UPDATE kept_answers SET at = ?, claimed_until = NULL, claimed_by = NULL, status = ?, answer = ?,
      answer_packed = ? WHERE ${ofClaim} AND is_discarded = 0`;
    const now = await database.now(tx);
    const values = [now, status, sealed.answer ?? null, sealed.answer_packed ?? null];
    // An answer that is not stored has to be requested again.
    if ((await tx.run(text, [...values, ...names])) === 0) await release(tx, claimed, now, "AND is_discarded > 0");
  });
}

/** Releases the key. The notes stay, so that the next holder continues from there. */
async function release(tx: SqlTransaction, claimed: Claim, now: number, condition = ""): Promise<void> {
  const [ofClaim, names] = isClaim(claimed);
  const hasNotes = `(answer IS NOT NULL OR answer_packed IS NOT NULL OR is_discarded = ${NOTES_ERASED})`;
  await tx.run(`DELETE FROM kept_answers WHERE ${ofClaim} ${condition} AND NOT ${hasNotes}`, names);
  await tx.run(`UPDATE kept_answers SET claimed_until = ? WHERE ${ofClaim} ${condition} AND ${hasNotes}`, [
    now,
    ...names,
  ]);
}

/** The row of a claim without an answer, of the given holder or of any. */
function isClaim({ owner, key, holder }: Claim): [condition: string, params: SqlValue[]] {
  const unanswered = "owner = ? AND key = ? AND claimed_until IS NOT NULL";
  return holder === null ? [unanswered, [owner, key]] : [`${unanswered} AND claimed_by = ?`, [owner, key, holder]];
}

async function erase(tx: SqlTransaction, { owner, except }: AnswerFilter): Promise<number> {
  const [ofOwner, owners] = owner === undefined ? ["", []] : ["AND owner = ?", [toStoredText(owner)]];
  const spared = except && keyOf(except.owner, except.key);
  const [others, sparing] =
    spared === undefined ? ["", []] : ["AND NOT (owner = ? AND key = ?)", [spared.owner, spared.key]];
  const which = `${ofOwner} ${others}`;
  const params = [...owners, ...sparing];
  await tx.run(
    `UPDATE kept_answers SET answer = NULL, answer_packed = NULL, is_discarded =
       CASE WHEN answer IS NULL AND answer_packed IS NULL AND is_discarded < ${NOTES_ERASED} THEN 1 ELSE ${NOTES_ERASED} END
     WHERE claimed_until IS NOT NULL ${which}`,
    params,
  );
  return tx.run(`DELETE FROM kept_answers WHERE claimed_until IS NULL ${which}`, params);
}
