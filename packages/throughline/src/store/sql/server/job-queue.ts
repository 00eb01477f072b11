import { InvalidOptionError } from "../../../errors/input-errors.ts";
import { StoreError } from "../../../errors/store-errors.ts";
import { omitUndefined } from "../../../internal/json.ts";
import type { JobFailure, JobFilter, JobQueue, JobState, NewJob, StoredJob } from "../../../ports/server-store.ts";
import { openRows, sealRow } from "../encryption/sealed-rows.ts";
import {
  isCount,
  numberOf,
  optionalNumberOf,
  optionalTextOf,
  pack,
  storedTextOf,
  textOf,
  toOptionalText,
  toStoredText,
  unpack,
} from "../row-values.ts";
import { latestLeaseEnd, leaseEnd } from "../sessions/session-rows.ts";
import type { SqlRow, SqlTransaction, SqlValue, StoreDatabase, StoreTransaction } from "../sql-driver.ts";
import { limited, type Table } from "../statements.ts";

/** Condition for a running job of a holder. */
const HELD = "WHERE position = ? AND holder = ? AND state = 'running'";

const DONE = "state = 'done', finished_at = ?, due_at = NULL, holder = NULL";
const RELEASED = "state = 'waiting', attempts = attempts - 1, due_at = run_at, holder = NULL";

/** Jobs in a SQL database. */
export function sqlJobQueue(database: StoreDatabase): JobQueue {
  /** Updates the job of a holder; `false` if the holder does not have it. */
  const change = async (id: string, holder: string, set: (now: number) => readonly [text: string, ...SqlValue[]]) => {
    const position = positionOf(id);
    if (position === undefined) return false;
    return database.write(async (tx) => {
      const [text, ...params] = set(await database.now(tx));
      return (await tx.run(`UPDATE jobs SET ${text} ${HELD}`, [...params, position, toStoredText(holder)])) > 0;
    });
  };
  return {
    add: (job) => add(database, job),
    lease: (holder, milliseconds, kinds) => leaseJob(database, holder, milliseconds, kinds),
    renew: (id, holder, milliseconds) => change(id, holder, (now) => ["due_at = ?", leaseEnd(now, milliseconds)]),
    finish: (id, holder, outcome = "done") => {
      if (outcome === "done") return change(id, holder, (now) => [DONE, now]);
      if (outcome === "released") return change(id, holder, () => [RELEASED]);
      return failJob(database, { id, holder }, outcome);
    },
    list: (filter = {}) => database.read((tx) => list(tx, filter)),
    counts: (filter = {}) => database.read((tx) => counts(tx, filter)),
    revive: (id) => revive(database, id),
    sweep: (before) => database.write((tx) => tx.run("DELETE FROM jobs WHERE finished_at < ?", [before])),
  };
}

async function add(database: StoreDatabase, job: NewJob): Promise<StoredJob | undefined> {
  const values = newJobValues(job);
  const alive = "SELECT 1 AS one FROM jobs WHERE key = ? AND due_at IS NOT NULL";
  const known = await database.read((tx) => tx.all(alive, [toStoredText(job.key)]));
  // Most jobs already exist, and reading does not block writers.
  if (known.length > 0) return undefined;
  return database.write(async (tx) => {
    const now = await database.now(tx);
    const due = job.runAt ?? now;
    const rows = await tx.all(
      `INSERT INTO jobs (${NEW_JOB_COLUMNS}, state, attempts, run_at, due_at, created_at)
       VALUES (${values.map(() => "?").join(", ")}, 'waiting', 0, ?, ?, ?)
       ON CONFLICT DO NOTHING RETURNING ${JOB_COLUMNS}`,
      [...values, due, due, now],
    );
    return readJobRows(tx, rows)[0];
  });
}

async function list(tx: StoreTransaction, filter: JobFilter): Promise<StoredJob[]> {
  const [where, params] = conditionOf(filter);
  const text = `SELECT ${JOB_COLUMNS} FROM jobs ${where} ORDER BY position`;
  return readJobRows(tx, await tx.all(...limited(text, params, filter.limit)));
}

function conditionOf({ owner, projectIds, state, kind, after }: JobFilter): [where: string, params: SqlValue[]] {
  const conditions: [text: string, ...values: SqlValue[]][] = [];
  if (owner !== undefined) conditions.push(["owner = ?", toStoredText(owner)]);
  if (projectIds !== undefined) {
    const list = projectIds.map(() => "?").join(", ");
    const ofProjects = projectIds.length === 0 ? "" : ` OR project_id IN (${list})`;
    conditions.push([`(project_id IS NULL${ofProjects})`, ...projectIds.map(toStoredText)]);
  }
  if (state !== undefined) conditions.push(["state = ?", state]);
  if (kind !== undefined) conditions.push(["kind = ?", toStoredText(kind)]);
  if (after !== undefined) conditions.push(["position > ?", readAfter(after)]);
  const where = conditions.length === 0 ? "" : `WHERE ${conditions.map(([text]) => text).join(" AND ")}`;
  return [where, conditions.flatMap(([, ...values]) => values)];
}

function readAfter(id: string): number {
  const position = positionOf(id);
  if (position === undefined) throw new InvalidOptionError("after", JSON.stringify(id), "the id of a job");
  return position;
}

async function counts(tx: SqlTransaction, filter: JobFilter): Promise<Record<JobState, number>> {
  const [where, params] = conditionOf(filter);
  const rows = await tx.all(`SELECT state, count(*) AS jobs FROM jobs ${where} GROUP BY state`, params);
  const found = rows.map((row) => [textOf(row, "state"), numberOf(row, "jobs")]);
  return { waiting: 0, running: 0, done: 0, dead: 0, ...Object.fromEntries(found) };
}

async function revive(database: StoreDatabase, id: string): Promise<boolean> {
  const position = positionOf(id);
  if (position === undefined) return false;
  const reviving = database.write(async (tx) => {
    const now = await database.now(tx);
    const text = `UPDATE jobs SET state = 'waiting', attempts = 0, run_at = ?, due_at = ?, finished_at = NULL
      WHERE position = ? AND state = 'dead' AND NOT EXISTS
        (SELECT 1 FROM jobs AS alive WHERE alive.key = jobs.key AND alive.due_at IS NOT NULL)`;
    return (await tx.run(text, [now, now, position])) > 0;
  });
  return reviving.catch((error: unknown) => {
    // PostgreSQL: another job with the same key was created at the same time.
    if (error instanceof StoreError && error.problem === "duplicate-id") return false;
    throw error;
  });
}

const LOST = "The server that ran the job stopped responding.";

/** Takes the job that is due longest, and marks jobs without attempts left as dead. */
async function leaseJob(
  database: StoreDatabase,
  holder: string,
  milliseconds: number,
  kinds?: readonly string[],
): Promise<StoredJob | undefined> {
  if (kinds?.length === 0) return undefined;
  const ofKind = kinds === undefined ? "" : `AND kind IN (${kinds.map(() => "?").join(", ")})`;
  const due = `FROM jobs WHERE (due_at <= ? OR (state = 'running' AND due_at > ?)) ${ofKind}
    ORDER BY due_at, position LIMIT 1`;
  const times = (now: number) => [now, latestLeaseEnd(now)];
  const names = (kinds ?? []).map(toStoredText);
  const found = await database.read(async (tx) =>
    tx.all(`SELECT 1 AS one ${due}`, [...times(await database.now(tx)), ...names]),
  );
  // Servers poll constantly, and reading does not block writers.
  if (found.length === 0) return undefined;
  // Skips jobs that another server is taking. SQLite allows one writer at a time.
  const lock = database.dialect === "postgres" ? "FOR UPDATE SKIP LOCKED" : "";
  return database.write(async (tx) => {
    for (;;) {
      const now = await database.now(tx);
      const [row] = await tx.all(`SELECT owner, position, attempts, max_attempts ${due} ${lock}`, [
        ...times(now),
        ...names,
      ]);
      if (row === undefined) return undefined;
      const until = leaseEnd(now, milliseconds);
      if (hasAttempts(row)) return begin(tx, row, toStoredText(holder), until);
      await failForGood(tx, row, now, LOST);
    }
  });
}

/** Schedules a retry of a failed job, or marks it as dead. */
async function failJob(
  database: StoreDatabase,
  { id, holder }: { readonly id: string; readonly holder: string },
  { error, retryAfter }: JobFailure,
): Promise<boolean> {
  const position = positionOf(id);
  if (position === undefined) return false;
  return database.write(async (tx) => {
    const now = await database.now(tx);
    // Written first: a server that takes the job over at this moment is either done before it is read, or waits.
    const [row] = await tx.all(
      `UPDATE jobs SET holder = NULL WHERE position = ? AND holder = ? AND state = 'running'
       RETURNING owner, position, attempts, max_attempts`,
      [position, toStoredText(holder)],
    );
    if (row === undefined) return false;
    if (retryAfter === undefined || !hasAttempts(row)) await failForGood(tx, row, now, error);
    else {
      const due = now + Math.max(0, retryAfter || 0);
      const text = "UPDATE jobs SET state = 'waiting', run_at = ?, due_at = ?, last_error = ? WHERE position = ?";
      await tx.run(text, [due, due, sealedError(tx, row, error), position]);
    }
    return true;
  });
}

function hasAttempts(row: SqlRow): boolean {
  return numberOf(row, "attempts") < numberOf(row, "max_attempts");
}

async function begin(
  tx: StoreTransaction,
  row: SqlRow,
  holder: SqlValue,
  until: number,
): Promise<StoredJob | undefined> {
  const rows = await tx.all(
    `UPDATE jobs SET state = 'running', attempts = attempts + 1, holder = ?, due_at = ? WHERE position = ?
     RETURNING ${JOB_COLUMNS}`,
    [holder, until, numberOf(row, "position")],
  );
  return readJobRows(tx, rows)[0];
}

async function failForGood(tx: StoreTransaction, row: SqlRow, now: number, error: string): Promise<void> {
  const text = `UPDATE jobs SET state = 'dead', finished_at = ?, due_at = NULL, holder = NULL, last_error = ?
    WHERE position = ?`;
  await tx.run(text, [now, sealedError(tx, row, error), numberOf(row, "position")]);
}

const ATTEMPTS = 5;

export const JOBS: Table = {
  name: "jobs",
  columns: [
    ...["position", "kind", "owner", "project_id", "key", "payload", "payload_packed", "state", "attempts"],
    ...["max_attempts", "run_at", "due_at", "created_at", "finished_at", "holder", "last_error"],
  ],
  // Error texts may contain content.
  sealing: { key: ["owner", "position"], content: { columns: ["last_error"], into: { text: "last_error" } } },
};
const JOB_COLUMNS = JOBS.columns.join(", ");

/** Columns of a new job, without its times. */
const NEW_JOB_COLUMNS = "kind, owner, project_id, key, payload, payload_packed, max_attempts";

/** @throws InvalidOptionError if it could never run. */
function newJobValues({ kind, owner, projectId, key, payload, runAt, maxAttempts = ATTEMPTS }: NewJob): SqlValue[] {
  if (runAt !== undefined && !Number.isFinite(runAt))
    throw new InvalidOptionError("runAt", runAt, "a number of milliseconds since 1970");
  if (!isCount(maxAttempts) || maxAttempts === 0) {
    throw new InvalidOptionError("maxAttempts", maxAttempts, "a whole number, 1 or more");
  }
  const names = [toStoredText(kind), toStoredText(owner), toOptionalText(projectId), toStoredText(key)];
  return [...names, ...pack(payload), maxAttempts];
}

/** Position of a job; `undefined` if the id is invalid. */
function positionOf(id: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(id) ? Number(id) : undefined;
}

function readJobRows(tx: StoreTransaction, rows: readonly SqlRow[]): StoredJob[] {
  return openRows(tx, JOBS, rows).map(readJobRow);
}

/** Encrypts the error of a job for its row. */
function sealedError(tx: StoreTransaction, { owner = null, position = null }: SqlRow, error: string): SqlValue {
  return sealRow(tx, JOBS, { owner, position, last_error: toStoredText(error) }).last_error ?? null;
}

function readJobRow(row: SqlRow): StoredJob {
  const state = textOf(row, "state") as JobState;
  return omitUndefined({
    id: String(numberOf(row, "position")),
    kind: storedTextOf(row, "kind"),
    owner: storedTextOf(row, "owner"),
    projectId: optionalTextOf(row, "project_id"),
    key: storedTextOf(row, "key"),
    payload: unpack(row, "payload"),
    state,
    attempts: numberOf(row, "attempts"),
    maxAttempts: numberOf(row, "max_attempts"),
    runAt: numberOf(row, "run_at"),
    createdAt: numberOf(row, "created_at"),
    finishedAt: optionalNumberOf(row, "finished_at"),
    holder: optionalTextOf(row, "holder"),
    leaseUntil: state === "running" ? optionalNumberOf(row, "due_at") : undefined,
    lastError: optionalTextOf(row, "last_error"),
  });
}
