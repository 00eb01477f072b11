import type { JobQueue, StoredJob } from "../../ports/server-store.ts";
import { assert, assertSame, eventually } from "../assert.ts";
import type { ServerFact } from "../server-check.ts";
import { added, job } from "./job-facts.ts";

const LONG = 600_000;

export const LEASE_FACTS: readonly ServerFact[] = [
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
