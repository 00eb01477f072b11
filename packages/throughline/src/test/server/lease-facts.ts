import type { JobQueue, StoredJob } from "../../ports/server-store.ts";
import { assert, assertSame, eventually } from "../assert.ts";
import type { ServerFact } from "../server-check.ts";
import { added, job } from "./job-facts.ts";

const LONG = 600_000;

export const LEASE_FACTS: readonly ServerFact[] = [
  [
    "a job is taken by one of many who ask at once, and each of many by one",
    async ({ jobs }, owner) => {
      const names = Array.from({ length: 30 }, (_, n) => `${n}`);
      for (const name of names) await added(jobs, job(owner, name));
      const { kind } = job(owner, "");
      const take = async (holder: string): Promise<StoredJob[]> => {
        const taken = await jobs.lease(holder, LONG, [kind]);
        return taken === undefined ? [] : [taken, ...(await take(holder))];
      };
      const taken = (await Promise.all(["a", "b", "c", "d", "e", "f"].map(take))).flat();
      assertSame(taken.map(({ key }) => key).sort(), names.map((name) => `${owner} ${name}`).sort(), "what was taken");
      assert(
        taken.every(({ attempts, state }) => attempts === 1 && state === "running"),
        "each once",
      );
      assertSame(await jobs.counts({ owner }), { waiting: 0, running: 30, done: 0, dead: 0 }, "how many");
    },
  ],
  [
    "the job that is due longest is taken first, none before its time, and none of another kind",
    async ({ jobs }, owner) => {
      const { kind } = job(owner, "");
      const { createdAt: now } = await added(jobs, { ...job(owner, "other"), kind: `${kind} of another` });
      const places = { third: now - 10, first: now - 30, later: now + LONG, second: now - 20 };
      for (const [name, runAt] of Object.entries(places)) await added(jobs, job(owner, name, { runAt }));
      for (const name of ["first", "second", "third"]) {
        assertSame((await jobs.lease("h", LONG, [kind]))?.key, `${owner} ${name}`, "what is taken");
      }
      assertSame(await jobs.lease("h", LONG, [kind]), undefined, "what is left");
      assertSame(await jobs.lease("h", LONG, []), undefined, "what is taken by who does nothing");
      const other = await jobs.lease("h", LONG, ["none", `${kind} of another`]);
      assertSame(other?.key, `${owner} other`, "what is taken of other kinds");
    },
  ],
  [
    "who names no kinds gets jobs of every kind",
    async ({ jobs }, owner) => {
      const { id } = await added(jobs, job(owner, "any"));
      for (let taken = await jobs.lease("h", LONG); taken?.id !== id; taken = await jobs.lease("h", LONG)) {
        assert(taken !== undefined, "it is taken after all that others left");
      }
    },
  ],
  [
    "a job has one holder, who renews, finishes, fails or gives it back",
    async ({ jobs }, owner) => {
      const { kind } = job(owner, "");
      const { id } = await added(jobs, job(owner, "one"));
      const taken = await jobs.lease("h", LONG, [kind]);
      assertSame([taken?.id, taken?.holder, taken?.state], [id, "h", "running"], "what was taken");
      assert((taken?.leaseUntil ?? 0) >= (taken?.createdAt ?? 0) + LONG, "it is held for so long");
      await refuses(jobs, id, "another");
      assertSame((await jobs.list({ owner }))[0], taken, "the job after another tried");
      assert(await jobs.renew(id, "h", 2 * LONG), "it is renewed");
      assert(((await jobs.list({ owner }))[0]?.leaseUntil ?? 0) > (taken?.leaseUntil ?? 0), "it is held for longer");
      assert(await jobs.finish(id, "h"), "it is finished");
      const [done] = await jobs.list({ owner });
      assertSame(
        [done?.state, done?.attempts, done?.holder, done?.leaseUntil],
        ["done", 1, undefined, undefined],
        "then",
      );
      await refuses(jobs, id, "h");
      assertSame(await jobs.lease("h", LONG, [kind]), undefined, "what is left to do");
      for (const none of ["", "0", "x", "999999999999999"]) await refuses(jobs, none, "h");
    },
  ],
  [
    "a job that fails waits, and is dead when it has no attempt left",
    async ({ jobs }, owner) => {
      const { kind } = job(owner, "");
      const { id } = await added(jobs, job(owner, "one", { maxAttempts: 3 }));
      for (const attempt of [1, 2, 3]) {
        const taken = await jobs.lease("h", LONG, [kind]);
        assertSame([taken?.id, taken?.attempts], [id, attempt], "what was taken");
        assert(await jobs.finish(id, "h", { error: `wrong ${attempt}`, retryAfter: 0 }), "it fails");
        const [failed] = await jobs.list({ owner });
        assertSame([failed?.state, failed?.lastError], [attempt < 3 ? "waiting" : "dead", `wrong ${attempt}`], "then");
        assertSame([failed?.holder, failed?.leaseUntil], [undefined, undefined], "who holds it");
      }
      assertSame(await jobs.lease("h", LONG, [kind]), undefined, "what is left to do");
      const later = await added(jobs, job(owner, "later"));
      await jobs.lease("h", LONG, [kind]);
      await jobs.finish(later.id, "h", { error: "wrong", retryAfter: LONG });
      const [, waiting] = await jobs.list({ owner });
      assert((waiting?.runAt ?? 0) >= later.createdAt + LONG, "it is not due before then");
      assertSame(await jobs.lease("h", LONG, [kind]), undefined, "what is due before then");
    },
  ],
  [
    "a job that is given back waits as before, and the attempt does not count",
    async ({ jobs }, owner) => {
      const { kind } = job(owner, "");
      const stored = await added(jobs, job(owner, "one", { maxAttempts: 1 }));
      for (const holder of ["a", "b"]) {
        assertSame((await jobs.lease(holder, LONG, [kind]))?.attempts, 1, "the attempts");
        assert(await jobs.finish(stored.id, holder, "released"), "it is given back");
        assertSame((await jobs.list({ owner }))[0], stored, "the job");
      }
    },
  ],
  [
    "a job whose holder is gone is taken over, and is dead where it has no attempt left",
    async ({ jobs }, owner) => {
      const { kind } = job(owner, "");
      const { id } = await added(jobs, job(owner, "one", { maxAttempts: 2 }));
      await jobs.lease("gone", 20, [kind]);
      const next = await leased(jobs, "next", 20, kind);
      assertSame([next.id, next.attempts, next.holder], [id, 2, "next"], "who has it");
      await refuses(jobs, id, "gone");
      const other = await added(jobs, job(owner, "two"));
      await eventually(async () => {
        const taken = await jobs.lease("last", LONG, [kind]);
        if (taken !== undefined) assertSame(taken.id, other.id, "what is taken");
        return (await jobs.list({ owner }))[0]?.state === "dead";
      }, "it is dead");
      await refuses(jobs, id, "next");
      assert(((await jobs.list({ owner }))[0]?.lastError ?? "") !== "", "it is said what became of it");
    },
  ],
  [
    "who was slow may still finish a job that nobody else took",
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

/** Asks until there is one. */
async function leased(jobs: JobQueue, holder: string, milliseconds: number, kind: string): Promise<StoredJob> {
  const found: StoredJob[] = [];
  await eventually(async () => {
    found.push(...[await jobs.lease(holder, milliseconds, [kind])].filter((one) => one !== undefined));
    return found.length > 0;
  }, "a job is due");
  return found[0] as StoredJob;
}

/** None of what a holder may do has an effect. */
async function refuses(jobs: JobQueue, id: string, holder: string): Promise<void> {
  assert(!(await jobs.renew(id, holder, LONG)), "it is not renewed");
  assert(!(await jobs.finish(id, holder, { error: "not mine", retryAfter: 1 })), "it does not fail");
  assert(!(await jobs.finish(id, holder, "released")), "it is not given back");
  assert(!(await jobs.finish(id, holder)), "it is not finished");
}
