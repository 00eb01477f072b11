import { InvalidOptionError } from "../../../errors/input-errors.ts";
import { omitUndefined } from "../../../internal/json.ts";
import type { JobState, NewJob, StoredJob } from "../../../ports/server-store.ts";
import { openRows, sealRow } from "../encryption/sealed-rows.ts";
import { pack, unpack } from "../pack.ts";
import {
  isCount,
  numberOf,
  optionalNumberOf,
  optionalTextOf,
  storedTextOf,
  textOf,
  toOptionalText,
  toStoredText,
} from "../row-values.ts";
import type { SqlRow, SqlValue, StoreTransaction } from "../sql-driver.ts";
import type { Table } from "../statements.ts";

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
export const JOB_COLUMNS = JOBS.columns.join(", ");

/** Columns of a new job, without its times. */
export const NEW_JOB_COLUMNS = "kind, owner, project_id, key, payload, payload_packed, max_attempts";

/** @throws InvalidOptionError if it could never run. */
export function newJobValues({
  kind,
  owner,
  projectId,
  key,
  payload,
  runAt,
  maxAttempts = ATTEMPTS,
}: NewJob): SqlValue[] {
  if (runAt !== undefined && !Number.isFinite(runAt))
    throw new InvalidOptionError("runAt", runAt, "a number of milliseconds since 1970");
  if (!isCount(maxAttempts) || maxAttempts === 0) {
    throw new InvalidOptionError("maxAttempts", maxAttempts, "a whole number, 1 or more");
  }
  const names = [toStoredText(kind), toStoredText(owner), toOptionalText(projectId), toStoredText(key)];
  return [...names, ...pack(payload), maxAttempts];
}

/** Position of a job; `undefined` if the id is invalid. */
export function positionOf(id: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(id) ? Number(id) : undefined;
}

export function readJobRows(tx: StoreTransaction, rows: readonly SqlRow[]): StoredJob[] {
  return openRows(tx, JOBS, rows).map(readJobRow);
}

/** Encrypts the error of a job for its row. */
export function sealedError(tx: StoreTransaction, { owner = null, position = null }: SqlRow, error: string): SqlValue {
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
