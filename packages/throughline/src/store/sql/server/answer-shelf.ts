import type { AnswerFilter, AnswerShelf, KeptAnswer } from "../../../ports/server-shelf.ts";
import { openRows, sealRow } from "../encryption/sealed-rows.ts";
import { lookupKey } from "../memories/lookup-key.ts";
import { pack, unpack } from "../pack.ts";
import { numberOf } from "../read-row.ts";
import type { SqlTransaction, SqlValue, StoreDatabase, StoreTransaction } from "../sql-driver.ts";
import type { Table } from "../statements.ts";
import { toOptionalText, toStoredText } from "../stored-text.ts";

export const ANSWERS: Table = {
  name: "kept_answers",
  columns: ["owner", "key", "status", "answer", "answer_packed"],
  sealing: { key: ["owner", "key"], content: { columns: ["answer", "answer_packed"], into: "answer_packed" } },
};

/** Answers in a database. */
export function sqlAnswerShelf(database: StoreDatabase): AnswerShelf {
  return {
    // What was asked is kept with the answer: until then it makes no difference.
    claim: (owner, key, _request, milliseconds, holder) => claim(database, claimOf(owner, key, holder), milliseconds),
    keep: (owner, key, answer, holder) => keep(database, claimOf(owner, key, holder), answer),
    async release(owner, key, holder) {
      await database.write((tx) => release(tx, claimOf(owner, key, holder)));
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

function claim(database: StoreDatabase, claimed: Claim, milliseconds: number): ReturnType<AnswerShelf["claim"]> {
  const { owner, key, holder } = claimed;
  return database.write(async (tx) => {
    for (;;) {
      const now = await database.now(tx);
      // Who claims again what it has still has it: what was purged meanwhile may stand in its answer all the same.
      const taken = await tx.run(
        `INSERT INTO kept_answers (owner, key, at, claimed_until, claimed_by, is_discarded) VALUES (?, ?, ?, ?, ?, 0)
         ON CONFLICT (owner, key) DO UPDATE SET at = excluded.at, claimed_until = excluded.claimed_until,
           claimed_by = excluded.claimed_by, is_discarded =
             CASE WHEN kept_answers.claimed_by = excluded.claimed_by THEN kept_answers.is_discarded ELSE 0 END
         WHERE kept_answers.claimed_until <= ? OR
           (kept_answers.claimed_until IS NOT NULL AND kept_answers.claimed_by = excluded.claimed_by)`,
        [owner, key, now, now + Math.max(0, milliseconds || 0), holder, now],
      );
      if (taken > 0) return "taken";
      const found = await find(tx, claimed);
      // It may have been released since.
      if (found !== undefined) return found;
    }
  });
}

async function find(tx: StoreTransaction, { owner, key }: AnswerKey): Promise<KeptAnswer | "busy" | undefined> {
  const text = "SELECT status, answer, answer_packed FROM kept_answers WHERE owner = ? AND key = ?";
  const [row] = openRows(tx, ANSWERS, await tx.all(text, [owner, key]), { owner, key });
  if (row === undefined) return undefined;
  if (row.status === null) return "busy";
  return { ...(unpack(row, "answer") as Omit<KeptAnswer, "status">), status: numberOf(row, "status") };
}

async function keep(database: StoreDatabase, claimed: Claim, answer: KeptAnswer): Promise<void> {
  const { owner, key } = claimed;
  const { request, status, headers, body } = answer;
  // Made before the transaction begins: others need not wait for it.
  const [plain, packed] = pack({ request, headers, body });
  await database.write(async (tx) => {
    const sealed = sealRow(tx, ANSWERS, { owner, key, answer: plain, answer_packed: packed });
    const [ofClaim, names] = isClaim(claimed);
    const text = `UPDATE kept_answers SET at = ?, claimed_until = NULL, claimed_by = NULL, status = ?, answer = ?,
      answer_packed = ? WHERE ${ofClaim} AND is_discarded = 0`;
    const values = [await database.now(tx), status, sealed.answer ?? null, sealed.answer_packed ?? null];
    // What is not kept has to be asked anew.
    if ((await tx.run(text, [...values, ...names])) === 0) await release(tx, claimed, "AND is_discarded = 1");
  });
}

function release(tx: SqlTransaction, claimed: Claim, condition = ""): Promise<number> {
  const [ofClaim, names] = isClaim(claimed);
  return tx.run(`DELETE FROM kept_answers WHERE ${ofClaim} ${condition}`, names);
}

/** The row of what is claimed and not answered: by the holder, or by anybody where none is named. */
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
  await tx.run(`UPDATE kept_answers SET is_discarded = 1 WHERE claimed_until IS NOT NULL ${which}`, params);
  return tx.run(`DELETE FROM kept_answers WHERE claimed_until IS NULL ${which}`, params);
}
