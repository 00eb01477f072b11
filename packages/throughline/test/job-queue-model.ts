import { omitUndefined } from "../src/internal/json.ts";
import type { JobFailure, JobQueue, StoredJob } from "../src/ports/server-store.ts";

type Queue = Omit<JobQueue, "list" | "counts" | "sweep" | "lease">;

/** A queue as simple as one can be, to compare others with. Ids are given to it: each store makes its own. */
export class JobQueueModel implements Queue {
  readonly #now: () => number;
  readonly #nextId: () => string;
  readonly jobs: StoredJob[] = [];

  constructor(now: () => number, nextId: () => string) {
    this.#now = now;
    this.#nextId = nextId;
  }

  add: JobQueue["add"] = async (job) => {
    if (this.jobs.some((one) => one.key === job.key && isAlive(one))) return undefined;
    const times = { runAt: job.runAt ?? this.#now(), createdAt: this.#now() };
    const start = { state: "waiting", attempts: 0, maxAttempts: job.maxAttempts ?? 5 } as const;
    const stored: StoredJob = { ...job, ...times, ...start, id: this.#nextId() };
    this.jobs.push(stored);
    return stored;
  };

  lease = async (holder: string, milliseconds: number, kinds: readonly string[]) => {
    const isDue = (job: StoredJob) => isAlive(job) && kinds.includes(job.kind) && dueAt(job) <= this.#now();
    for (;;) {
      const [job] = this.jobs.filter(isDue).sort((a, b) => dueAt(a) - dueAt(b) || Number(a.id) - Number(b.id));
      if (job === undefined) return undefined;
      if (job.attempts >= job.maxAttempts) this.#bury(job, "The server that ran the job stopped responding.");
      else {
        const leaseUntil = this.#now() + milliseconds;
        return this.#set(job, { state: "running", attempts: job.attempts + 1, holder, leaseUntil });
      }
    }
  };

  renew: JobQueue["renew"] = async (id, holder, milliseconds) =>
    this.#ifHeld(id, holder, (job) => this.#set(job, { leaseUntil: this.#now() + milliseconds }));

  finish: JobQueue["finish"] = async (id, holder, outcome = "done") =>
    this.#ifHeld(id, holder, (job) => {
      if (outcome === "done") this.#free(job, { state: "done", finishedAt: this.#now() });
      else if (outcome === "released") this.#free(job, { state: "waiting", attempts: job.attempts - 1 });
      else this.#fail(job, outcome);
    });

  revive: JobQueue["revive"] = async (id) => {
    const job = this.jobs.find((one) => one.id === id && one.state === "dead");
    if (job === undefined || this.jobs.some((one) => one.key === job.key && isAlive(one))) return false;
    this.#set(job, { state: "waiting", attempts: 0, runAt: this.#now(), finishedAt: undefined });
    return true;
  };

  #ifHeld(id: string, holder: string, change: (job: StoredJob) => void): boolean {
    const job = this.jobs.find((one) => one.id === id && one.state === "running" && one.holder === holder);
    if (job !== undefined) change(job);
    return job !== undefined;
  }

  #fail(job: StoredJob, { error, retryAfter }: JobFailure): void {
    if (retryAfter === undefined || job.attempts >= job.maxAttempts) this.#bury(job, error);
    else this.#free(job, { state: "waiting", runAt: this.#now() + retryAfter, lastError: error });
  }

  #bury(job: StoredJob, lastError: string): void {
    this.#free(job, { state: "dead", finishedAt: this.#now(), lastError });
  }

  #free(job: StoredJob, fields: Changes): void {
    this.#set(job, { ...fields, holder: undefined, leaseUntil: undefined });
  }

  #set(job: StoredJob, fields: Changes): StoredJob {
    const changed = omitUndefined({ ...job, ...fields }) as StoredJob;
    this.jobs[this.jobs.indexOf(job)] = changed;
    return changed;
  }
}

type Changes = { readonly [Field in keyof StoredJob]?: StoredJob[Field] | undefined };

function isAlive({ state }: StoredJob): boolean {
  return state === "waiting" || state === "running";
}

function dueAt({ state, runAt, leaseUntil = 0 }: StoredJob): number {
  return state === "running" ? leaseUntil : runAt;
}
