import { InvalidOptionError } from "../../errors/input-errors.ts";
import type { JobQueue, NewJob, StoredJob } from "../../ports/server-store.ts";
import { assert, assertSame, eventually, type ServerFact } from "../conformance.ts";
import { HARD_TEXT } from "../samples.ts";

const LONG = 600_000;

/** A job of a kind that only this owner uses, so that concurrent tests do not lease it. */
function job(owner: string, name: string, fields: Partial<NewJob> = {}): NewJob {
  return { kind: `kind of ${owner}`, owner, key: `${owner} ${name}`, ...fields };
}

/** Adds a job. Fails if its key has a waiting or running one. */
async function added(jobs: JobQueue, one: NewJob): Promise<StoredJob> {
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

export const JOB_LEASE_FACTS: readonly ServerFact[] = [
  [
    "concurrent leases give each job to exactly one holder",
    async ({ jobs }, owner) => {
      const names = Array.from({ length: 30 }, (_, n) => `${n}`);
      for (const name of names) await added(jobs, job(owner, name));
      const { kind } = job(owner, "");
      const take = async (holder: string): Promise<StoredJob[]> => {
        const taken = await jobs.lease(holder, LONG, [kind]);
        return taken === undefined ? [] : [taken, ...(await take(holder))];
      };
      const taken = (await Promise.all(["a", "b", "c", "d", "e", "f"].map(take))).flat();
      assertSame(taken.map(({ key }) => key).sort(), names.map((name) => `${owner} ${name}`).sort(), "the leased job");
      assert(
        taken.every(({ attempts, state }) => attempts === 1 && state === "running"),
        "each job has one attempt and is running",
      );
      assertSame(await jobs.counts({ owner }), { waiting: 0, running: 30, done: 0, dead: 0 }, "the counts");
    },
  ],
  [
    "due jobs of the given kinds are leased, the one due the longest first",
    async ({ jobs }, owner) => {
      const { kind } = job(owner, "");
      const { createdAt: now } = await added(jobs, { ...job(owner, "other"), kind: `${kind} of another` });
      const places = { third: now - 10, first: now - 30, later: now + LONG, second: now - 20 };
      for (const [name, runAt] of Object.entries(places)) await added(jobs, job(owner, name, { runAt }));
      for (const name of ["first", "second", "third"]) {
        assertSame((await jobs.lease("h", LONG, [kind]))?.key, `${owner} ${name}`, "the leased job");
      }
      assertSame(await jobs.lease("h", LONG, [kind]), undefined, "a lease without due jobs");
      assertSame(await jobs.lease("h", LONG, []), undefined, "a lease for no kinds");
      const other = await jobs.lease("h", LONG, ["none", `${kind} of another`]);
      assertSame(other?.key, `${owner} other`, "the leased job of another kind");
    },
  ],
  [
    "a lease without kinds gets jobs of every kind",
    async ({ jobs }, owner) => {
      const { id } = await added(jobs, job(owner, "any"));
      for (let taken = await jobs.lease("h", LONG); taken?.id !== id; taken = await jobs.lease("h", LONG)) {
        assert(taken !== undefined, "it is leased after the jobs of other tests");
      }
    },
  ],
  [
    "only the holder of a job can renew, finish, fail or release it",
    async ({ jobs }, owner) => {
      const { kind } = job(owner, "");
      const { id } = await added(jobs, job(owner, "one"));
      const taken = await jobs.lease("h", LONG, [kind]);
      assertSame([taken?.id, taken?.holder, taken?.state], [id, "h", "running"], "the leased job");
      assert((taken?.leaseUntil ?? 0) >= (taken?.createdAt ?? 0) + LONG, "its lease lasts as long as requested");
      await refuses(jobs, id, "another");
      assertSame((await jobs.list({ owner }))[0], taken, "the job after refused calls");
      assert(await jobs.renew(id, "h", 2 * LONG), "it is renewed");
      assert(((await jobs.list({ owner }))[0]?.leaseUntil ?? 0) > (taken?.leaseUntil ?? 0), "its lease lasts longer");
      assert(await jobs.finish(id, "h"), "it is finished");
      const [done] = await jobs.list({ owner });
      assertSame(
        [done?.state, done?.attempts, done?.holder, done?.leaseUntil],
        ["done", 1, undefined, undefined],
        "the job afterwards",
      );
      await refuses(jobs, id, "h");
      assertSame(await jobs.lease("h", LONG, [kind]), undefined, "a lease without waiting jobs");
      for (const none of ["", "0", "x", "999999999999999"]) await refuses(jobs, none, "h");
    },
  ],
  [
    "a failed job waits for its next attempt, and is dead after the last one",
    async ({ jobs }, owner) => {
      const { kind } = job(owner, "");
      const { id } = await added(jobs, job(owner, "one", { maxAttempts: 3 }));
      for (const attempt of [1, 2, 3]) {
        const taken = await jobs.lease("h", LONG, [kind]);
        assertSame([taken?.id, taken?.attempts], [id, attempt], "the leased job");
        assert(await jobs.finish(id, "h", { error: `wrong ${attempt}`, retryAfter: 0 }), "it fails");
        const [failed] = await jobs.list({ owner });
        assertSame(
          [failed?.state, failed?.lastError],
          [attempt < 3 ? "waiting" : "dead", `wrong ${attempt}`],
          "the job afterwards",
        );
        assertSame([failed?.holder, failed?.leaseUntil], [undefined, undefined], "its holder and lease");
      }
      assertSame(await jobs.lease("h", LONG, [kind]), undefined, "a lease without waiting jobs");
      const later = await added(jobs, job(owner, "later"));
      await jobs.lease("h", LONG, [kind]);
      await jobs.finish(later.id, "h", { error: "wrong", retryAfter: LONG });
      const [, waiting] = await jobs.list({ owner });
      assert((waiting?.runAt ?? 0) >= later.createdAt + LONG, "it is due after the retry delay");
      assertSame(await jobs.lease("h", LONG, [kind]), undefined, "a lease before the retry delay has passed");
    },
  ],
  [
    "a released job waits as before, and the attempt does not count",
    async ({ jobs }, owner) => {
      const { kind } = job(owner, "");
      const stored = await added(jobs, job(owner, "one", { maxAttempts: 1 }));
      for (const holder of ["a", "b"]) {
        assertSame((await jobs.lease(holder, LONG, [kind]))?.attempts, 1, "the attempts");
        assert(await jobs.finish(stored.id, holder, "released"), "it is released");
        assertSame((await jobs.list({ owner }))[0], stored, "the job");
      }
    },
  ],
  [
    "a job with an expired lease is leased again, and is dead if it has no attempt left",
    async ({ jobs }, owner) => {
      const { kind } = job(owner, "");
      const { id } = await added(jobs, job(owner, "one", { maxAttempts: 2 }));
      await jobs.lease("gone", 20, [kind]);
      const next = await leased(jobs, "next", 20, kind);
      assertSame([next.id, next.attempts, next.holder], [id, 2, "next"], "the new holder");
      await refuses(jobs, id, "gone");
      const other = await added(jobs, job(owner, "two"));
      await eventually(async () => {
        const taken = await jobs.lease("last", LONG, [kind]);
        if (taken !== undefined) assertSame(taken.id, other.id, "the leased job");
        return (await jobs.list({ owner }))[0]?.state === "dead";
      }, "it is dead");
      await refuses(jobs, id, "next");
      assert(((await jobs.list({ owner }))[0]?.lastError ?? "") !== "", "it has an error message");
    },
  ],
  [
    "a holder can finish a job after its lease expired, if no one else leased it",
    async ({ jobs }, owner) => {
      const { kind } = job(owner, "");
      for (const milliseconds of [0, -1, Number.NaN]) {
        const { id } = await added(jobs, job(owner, "one"));
        await jobs.lease("slow", milliseconds, [kind]);
        assert(await jobs.renew(id, "slow", 0), "it is renewed");
        assert(await jobs.finish(id, "slow"), "it is finished");
      }
    },
  ],
];

/** Polls until a job of this kind can be leased. */
async function leased(jobs: JobQueue, holder: string, milliseconds: number, kind: string): Promise<StoredJob> {
  const found: StoredJob[] = [];
  await eventually(async () => {
    found.push(...[await jobs.lease(holder, milliseconds, [kind])].filter((one) => one !== undefined));
    return found.length > 0;
  }, "a job is due");
  return found[0] as StoredJob;
}

/** Checks that every call reserved for the holder is refused. */
async function refuses(jobs: JobQueue, id: string, holder: string): Promise<void> {
  assert(!(await jobs.renew(id, holder, LONG)), "it is not renewed");
  assert(!(await jobs.finish(id, holder, { error: "not mine", retryAfter: 1 })), "it does not fail");
  assert(!(await jobs.finish(id, holder, "released")), "it is not released");
  assert(!(await jobs.finish(id, holder)), "it is not finished");
}
