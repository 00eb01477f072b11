import { AsyncLocalStorage } from "node:async_hooks";
import { createHash } from "node:crypto";
import type { AnswerClaim, AnswerStore, NewEvent } from "throughline/internal/sql";
import type { SqlStore } from "throughline/sqlite";
import type { Commit, Erasure, MemoryCommit } from "throughline/store";

// A request with an Idempotency-Key records its writes in the same transactions. If its server crashes, the retry reads
// the records and skips those writes.

/** A write to the store. */
export type StoreWrite =
  | { readonly op: "append"; readonly at: number; readonly count: number }
  | { readonly op: "session"; readonly commit: Commit }
  | { readonly op: "memories"; readonly space: string; readonly commit: MemoryCommit }
  | { readonly op: "erase"; readonly space: string; readonly erasure: Erasure }
  | { readonly op: "use" | "document" | "purge" | "token" | "job" };

/** Describes a write for the record; `undefined` if the write does not belong to the step. */
export type Describe<T> = (write: StoreWrite, result: unknown) => T | undefined;

interface StepNote {
  readonly step: string;
  readonly value: unknown;
}

interface Scope {
  readonly claim: AnswerClaim;
  /** Notes of earlier attempts. */
  readonly notes: readonly StepNote[];
  readonly step?: { readonly name: string; readonly describe: Describe<unknown> };
}

const scope = new AsyncLocalStorage<Scope>();

/** Runs a request that has a key. `notes` come from earlier attempts. */
export function runSteps<T>(claim: AnswerClaim, notes: readonly unknown[], work: () => Promise<T>): Promise<T> {
  return scope.run({ claim, notes: notes as readonly StepNote[] }, work);
}

/**
 * Runs work that must not be repeated. Its deciding write carries the result of `describe`, so that a retry after a
 * crash returns that result without writing. Without a key, the work just runs.
 */
export async function once<T>(name: string, work: () => Promise<T>, describe: Describe<T>): Promise<T> {
  const [done] = notesOf<T>(name).slice(-1);
  return done ?? stepwise(name, work, describe);
}

/** Runs work that continues after an interrupted attempt. Each write that `describe` recognizes is recorded. */
export function stepwise<T>(name: string, work: () => Promise<T>, describe: Describe<unknown>): Promise<T> {
  const current = scope.getStore();
  return current === undefined ? work() : scope.run({ ...current, step: { name, describe } }, work);
}

/** Notes of earlier attempts for this step. */
export function notesOf<T>(name: string): readonly T[] {
  return (scope.getStore()?.notes ?? []).filter(({ step }) => step === name).map(({ value }) => value as T);
}

/** An id that is the same in every attempt of a request; `undefined` without a key. */
export function stableRequestId(part: number): string | undefined {
  const claim = scope.getStore()?.claim;
  if (claim === undefined) return undefined;
  const name = JSON.stringify([claim.owner, claim.key, claim.request]);
  return `req_${createHash("sha256").update(name).digest("hex").slice(0, 24)}_${part}`;
}

const announced = new AsyncLocalStorage<(appended: number) => NewEvent>();

/**
 * Runs an append to a session and stores its event in the same transaction.
 *
 * @param event Makes the event, given the number of messages after the append.
 */
export function announceAppend<T>(event: (appended: number) => NewEvent, append: () => Promise<T>): Promise<T> {
  return announced.run(event, append);
}

/** Wraps the store so that the writes of a step carry its notes. */
export function noteWrites(store: SqlStore): SqlStore {
  const { messages, sessions, memories, documents, server } = store;
  const { answers } = server;
  const note = <R>(write: StoreWrite, call: () => Promise<R>) => noted(answers, write, call);
  return {
    ...store,
    messages: {
      ...messages,
      append: (key, at, list) => {
        const write = () => messages.append(key, at, list);
        const event = announced.getStore()?.(at + list.length);
        const count = list.length;
        return note({ op: "append", at, count }, event ? () => server.events.appendWith([event], write) : write);
      },
    },
    sessions: {
      ...sessions,
      commit: (key, commit) => note({ op: "session", commit }, () => sessions.commit(key, commit)),
      purge: (key) => note({ op: "purge" }, () => sessions.purge(key)),
    },
    memories: {
      ...memories,
      commit: (space, commit) => note({ op: "memories", space, commit }, () => memories.commit(space, commit)),
      erase: (space, erasure) => note({ op: "erase", space, erasure }, () => memories.erase(space, erasure)),
      record: (space, record) => {
        const write = () => memories.record(space, record);
        // Retrievals are counted in the background, for several requests at a time.
        return record.uses === undefined || record.uses.use === "retrieved" ? write() : note({ op: "use" }, write);
      },
    },
    documents: {
      ...documents,
      put: (...args) => note({ op: "document" }, () => documents.put(...args)),
      delete: (...args) => note({ op: "purge" }, () => documents.delete(...args)),
    },
    server: noteServerWrites(server, note),
  };
}

type NoteWrite = <R>(write: StoreWrite, call: () => Promise<R>) => Promise<R>;

function noteServerWrites(server: SqlStore["server"], note: NoteWrite): SqlStore["server"] {
  const { tokens, jobs, events, answers } = server;
  return {
    ...server,
    tokens: {
      ...tokens,
      add: (token) => note({ op: "token" }, () => tokens.add(token)),
      revoke: (id, at) => note({ op: "token" }, () => tokens.revoke(id, at)),
    },
    jobs: { ...jobs, revive: (id) => note({ op: "job" }, () => jobs.revive(id)) },
    events: {
      ...events,
      async append(list) {
        const current = scope.getStore();
        if (current === undefined) return events.append(list);
        const step = `event ${list.map(({ type }) => type).join(" ")}`;
        // An event is published once per request, regardless of retries.
        if (notesOf(step).length > 0) return;
        await answers.noting(
          current.claim,
          () => ({ step, value: true }),
          () => events.append(list),
        );
      },
    },
  };
}

function noted<R>(answers: AnswerStore, write: StoreWrite, call: () => Promise<R>): Promise<R> {
  const { claim, step } = scope.getStore() ?? {};
  if (claim === undefined || step === undefined) return call();
  const note = (result: unknown): StepNote | undefined => {
    // A write that lost a conflict, or found nothing, changed nothing.
    if (result === false || result === 0 || (write.op === "erase" && result === undefined)) return undefined;
    const value = step.describe(write, result);
    return value === undefined ? undefined : { step: step.name, value };
  };
  return answers.noting(claim, note, call);
}
