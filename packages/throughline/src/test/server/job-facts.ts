import { InvalidOptionError } from "../../errors/input-errors.ts";
import type { JobQueue, NewJob, StoredJob } from "../../ports/server-store.ts";
import { assert, assertSame, eventually } from "../assert.ts";
import { HARD_TEXT } from "../samples.ts";
import type { ServerFact } from "../server-check.ts";

const LONG = 600_000;

/** A job of a kind that only this owner uses, so that concurrent tests do not lease it. */
export function job(owner: string, name: string, fields: Partial<NewJob> = {}): NewJob {
  return { kind: `kind of ${owner}`, owner, key: `${owner} ${name}`, ...fields };
}

/** Adds a job. Fails if its key has a waiting or running one. */
export async function added(jobs: JobQueue, one: NewJob): Promise<StoredJob> {
  const stored = await jobs.add(one);
  if (stored === undefined) throw new Error(`Expected: ${one.key} is added.`);
  return stored;
}

export const JOB_FACTS: readonly ServerFact[] = [
  [
    "a job round-trips, with its initial state and default values",
    async ({ jobs }, owner) => {
      const before = (await added(jobs, job(owner, "clock"))).createdAt;
      const runAt = before + LONG;
      const full = { projectId: HARD_TEXT, payload: { session: HARD_TEXT, list: [1, null] }, runAt, maxAttempts: 2 };
      const given = { ...job(owner + HARD_TEXT, HARD_TEXT, full), kind: HARD_TEXT };
      const stored = await added(jobs, given);
      const start = { id: stored.id, state: "waiting", attempts: 0, createdAt: stored.createdAt };
      assertSame(stored, { ...given, ...start }, "the job");
      assert(stored.createdAt >= before, "it was created after the first job");
      assertSame(await jobs.list({ owner: given.owner }), [stored], "the list");
      const bare = await added(jobs, job(owner, "bare"));
      assertSame([bare.maxAttempts, bare.runAt], [5, bare.createdAt], "its maximum attempts and its due time");
    },
  ],
  [
    "a job with an invalid due time or maximum of attempts is refused",
    async ({ jobs }, owner) => {
      for (const wrong of [{ runAt: Number.NaN }, { maxAttempts: 0 }, { maxAttempts: 1.5 }]) {
        const refused = await jobs.add(job(owner, "wrong", wrong)).catch((error: unknown) => error);
        assert(refused instanceof InvalidOptionError, `${JSON.stringify(wrong)} is refused`);
      }
      assertSame(await jobs.list({ owner }), [], "the list");
    },
  ],
  [
    "a key has at most one waiting or running job",
    async ({ jobs }, owner) => {
      const one = job(owner, "one");
      const [first, ...others] = await Promise.all([1, 2, 3, 4, 5].map(() => jobs.add(one)));
      const all = [first, ...others].filter((stored) => stored !== undefined);
      assertSame(all.length, 1, "the number of jobs added concurrently");
      assertSame(await jobs.add({ ...one, owner: `${owner}2` }), undefined, "a job of another owner with the same key");
      const leased = await jobs.lease("h", LONG, [one.kind]);
      assertSame(await jobs.add(one), undefined, "a second job while the first one runs");
      assert(await jobs.finish(leased?.id ?? "", "h"), "it is finished");
      const second = await added(jobs, one);
      assert(second.id !== leased?.id, "the next job has another id");
      await jobs.lease("h", LONG, [one.kind]);
      assert(await jobs.finish(second.id, "h", { error: "no" }), "it fails without a retry");
      await added(jobs, one);
    },
  ],
  [
    "jobs are listed in the order of creation, with filters and pages",
    async ({ jobs }, owner) => {
      const ids: string[] = [];
      for (const n of [0, 1, 2, 3, 4]) ids.push((await added(jobs, job(owner, `${n}`, { runAt: 5 - n }))).id);
      await added(jobs, { ...job(`${owner}2`, "other"), kind: "another" });
      const idsOf = async (filter: Parameters<JobQueue["list"]>[0]) => (await jobs.list(filter)).map(({ id }) => id);
      assertSame(await idsOf({ owner }), ids, "the owner's jobs");
      const [, second = "", third = ""] = ids;
      assertSame(await idsOf({ owner, after: second, limit: 2 }), ids.slice(2, 4), "a page");
      assertSame(await idsOf({ owner, limit: 0 }), [], "an empty page");
      const leased = await jobs.lease("h", LONG, [job(owner, "").kind]);
      assertSame(leased?.id, ids[4], "the job that has been due the longest");
      await jobs.finish(leased?.id ?? "", "h");
      assertSame(await idsOf({ owner, state: "done" }), ids.slice(4), "finished jobs");
      assertSame(
        await idsOf({ owner, kind: job(owner, "").kind, state: "waiting", after: third }),
        ids.slice(3, 4),
        "jobs by kind, state and page",
      );
      assertSame(await idsOf({ owner, kind: "another" }), [], "jobs of another kind");
      assertSame(await jobs.counts({ owner }), { waiting: 4, running: 0, done: 1, dead: 0 }, "the counts of an owner");
      assertSame(
        await jobs.counts({ owner: `${owner}%` }),
        { waiting: 0, running: 0, done: 0, dead: 0 },
        "the counts of an unknown owner",
      );
      const all = await jobs.counts();
      assert(all.waiting >= 5 && all.done >= 1, "jobs of all owners are counted");
      const refused = await jobs.list({ after: "no id" }).catch((error: unknown) => error);
      assert(refused instanceof InvalidOptionError, "an invalid id is refused");
    },
  ],
  [
    "a dead job is revived with all its attempts, unless another job has its key",
    async ({ jobs }, owner) => {
      const { kind } = job(owner, "");
      const { id } = await added(jobs, job(owner, "one", { maxAttempts: 1 }));
      assert(!(await jobs.revive(id)), "a waiting job is not revived");
      await jobs.lease("h", LONG, [kind]);
      await jobs.finish(id, "h", { error: "broken", retryAfter: 0 });
      const [dead] = await jobs.list({ owner });
      assertSame([dead?.state, dead?.attempts, dead?.lastError], ["dead", 1, "broken"], "it is dead");
      assert(dead?.finishedAt !== undefined, "a dead job has the time at which it finished");
      const other = await added(jobs, job(owner, "one"));
      assert(!(await jobs.revive(id)), "it is not revived while another job has its key");
      await jobs.lease("h", LONG, [kind]);
      await jobs.finish(other.id, "h");
      assert(await jobs.revive(id), "it is revived");
      assert(!(await jobs.revive(id)), "it is not revived twice");
      const again = await jobs.lease("h", LONG, [kind]);
      assertSame([again?.id, again?.attempts, again?.finishedAt], [id, 1, undefined], "it runs again");
      for (const none of ["", "0", "999999999999999", "1e3", " 1", "x", HARD_TEXT]) {
        assert(!(await jobs.revive(none)), `the unknown id ${JSON.stringify(none)} is not revived`);
      }
    },
  ],
  [
    "a sweep deletes finished and dead jobs only",
    async ({ jobs }, owner) => {
      const { kind } = job(owner, "");
      const ids: string[] = [];
      for (const name of ["done", "dead", "running", "waiting"]) ids.push((await added(jobs, job(owner, name))).id);
      const [done = "", dead = "", running = "", waiting = ""] = ids;
      for (const _ of [1, 2, 3]) await jobs.lease("h", LONG, [kind]);
      await jobs.finish(done, "h");
      await jobs.finish(dead, "h", { error: "broken" });
      const finished = (await jobs.list({ owner })).flatMap(({ finishedAt }) => finishedAt ?? []);
      await jobs.sweep(Math.min(...finished));
      assertSame((await jobs.list({ owner })).length, 4, "the number of jobs that are newer than the limit");
      assert((await jobs.sweep(Math.max(...finished) + 1)) >= 2, "at least two are swept");
      assertSame(
        (await jobs.list({ owner })).map(({ id }) => id),
        [running, waiting],
        "the jobs after the sweep",
      );
      // A deleted id is still a valid cursor.
      assertSame(
        (await jobs.list({ owner, after: dead })).map(({ id }) => id),
        [running, waiting],
        "the jobs after a deleted one",
      );
      await eventually(async () => Number((await added(jobs, job(owner, "done"))).id) > Number(waiting), "ids are new");
    },
  ],
];
