import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { cases } from "../../../../test/cases.ts";
import { clockedDriver } from "../../../../test/clocked-driver.ts";
import { JobQueueModel } from "../../../../test/job-queue-model.ts";
import { type PostgresDatabases, START_TIME } from "../../../../test/postgres-server.ts";
import { sharedPostgres } from "../../../../test/shared-postgres.ts";
import { createStoreDatabase } from "../../../../test/store-database.ts";
import type { JobQueue } from "../../../ports/server-store.ts";
import { createSqlStore } from "../sql-store.ts";

const START = 1_700_000_000_000;

/** A queue and its model at one point in time. */
interface Both {
  readonly queue: JobQueue;
  readonly model: JobQueueModel;
  readonly clock: { time: number };
  /** Prefix of all names, so that all runs can share a database. */
  readonly run: string;
}

/** Applies the same step to both and returns both results. */
type Step = (both: Both) => Promise<readonly [found: unknown, expected: unknown]>;

const kind = fc.constantFrom("a", "b");
const holder = fc.constantFrom("one", "two");
const time = fc.constantFrom(0, 5, 10, 30);
const place = fc.nat({ max: 6 });

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .record({
        kind,
        key: fc.constantFrom("k", "l", "m"),
        wait: fc.option(time),
        attempts: fc.integer({ min: 1, max: 3 }),
      })
      .map(
        ({ kind, key, wait, attempts }): Step =>
          async ({ queue, model, clock, run }) => {
            const runAt = wait === null ? {} : { runAt: clock.time + wait - 10 };
            const names = { owner: run, kind: `${run} ${kind}`, key: `${run} ${key}`, payload: { wait } };
            const job = { ...names, ...runAt, maxAttempts: attempts };
            const found = await queue.add(job);
            return [found, await model.add(job).then((added) => added && relabeled(model, added.id, found?.id))];
          },
      ),
  },
  {
    weight: 6,
    arbitrary: fc.tuple(holder, time, fc.subarray(["a", "b"])).map(
      ([who, milliseconds, names]): Step =>
        async ({ queue, model, run }) => {
          const kinds = names.map((name) => `${run} ${name}`);
          return [await queue.lease(who, milliseconds, kinds), await model.lease(who, milliseconds, kinds)];
        },
    ),
  },
  ofJob((queue, id, who) => queue.renew(id, who, 10)),
  ofJob((queue, id, who) => queue.finish(id, who)),
  ofJob((queue, id, who) => queue.finish(id, who, { error: "for good" })),
  ofJob((queue, id, who) => queue.finish(id, who, { error: "again", retryAfter: 5 })),
  ofJob((queue, id, who) => queue.finish(id, who, "released")),
  { weight: 2, arbitrary: ofJob((queue, id) => queue.revive(id)) },
  {
    weight: 3,
    arbitrary: time.map(
      (milliseconds): Step =>
        async ({ clock }) => {
          clock.time += milliseconds;
          return [0, 0];
        },
    ),
  },
);

/** A call with a job and a holder. */
function ofJob(
  use: (queue: Omit<JobQueueModel, "jobs">, id: string, who: string) => Promise<unknown>,
): fc.Arbitrary<Step> {
  return fc.tuple(place, holder).map(([at, who]) => async ({ queue, model }) => {
    const id = model.jobs[at]?.id ?? "0";
    return [await use(queue as unknown as JobQueueModel, id, who), await use(model, id, who)];
  });
}

/** Gives the model's new job the id that the store assigned. */
function relabeled(model: JobQueueModel, from: string, to = from) {
  const at = model.jobs.findIndex(({ id }) => id === from);
  const job = model.jobs[at];
  if (job !== undefined) model.jobs[at] = { ...job, id: to };
  return model.jobs[at];
}

async function isAsTheModel(where: string, numRuns: number): Promise<void> {
  const clock = { time: START };
  const store = createSqlStore(await clockedDriver(where, async () => clock.time));
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 50 }), async (steps) => {
      runs += 1;
      const model = new JobQueueModel(
        () => clock.time,
        () => "new",
      );
      const both: Both = { queue: store.server.jobs, model, clock, run: `run ${runs}` };
      for (const take of steps) {
        const [found, expected] = await take(both);
        expect(found).toEqual(expected);
        expect(await both.queue.list({ owner: both.run })).toEqual(model.jobs);
      }
    }),
    { numRuns },
  );
  await store.close();
}

describe("a queue of jobs", () => {
  let server: PostgresDatabases;
  beforeAll(async () => {
    server = await sharedPostgres();
  }, START_TIME);

  it("in SQLite behaves like a simple one, for any operations at any time", () => isAsTheModel(":memory:", cases(60)));

  it("in PostgreSQL does the same", async () => isAsTheModel(await createStoreDatabase(server), cases(5)));
});
