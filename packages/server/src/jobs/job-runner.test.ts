import { describe, expect, it } from "vitest";
import { NotFoundError } from "../../../throughline/src/errors/store-errors.ts";
import { QUIET } from "../../../throughline/src/ports/logger.ts";
import type { StoredJob } from "../../../throughline/src/ports/server-store.ts";
import { sqliteStore } from "../../../throughline/src/store/sqlite/sqlite.ts";
import type { Following } from "./job-kinds.ts";
import { JobRunner } from "./job-runner.ts";

const nothing: Following = async () => [];

function start(work: (job: StoredJob, signal: AbortSignal) => Promise<Following>) {
  const store = sqliteStore(":memory:");
  const ended: string[] = [];
  const runner = new JobRunner({
    store: store.server,
    logger: QUIET,
    holder: "a",
    lookAgain: 10,
    work,
    onEnd: (_, outcome) => ended.push(outcome),
  });
  runner.start();
  return { store, runner, ended };
}

const job = { kind: "extract", owner: "ada", key: "k" };

describe("the job runner", () => {
  it("runs a job and its follow-up jobs", async () => {
    const done: string[] = [];
    const { store, runner, ended } = start(async ({ key }) => {
      done.push(key);
      return async () => (key === "k" ? [{ ...job, key: "next" }] : []);
    });
    await runner.add(job);
    await expect.poll(() => done).toEqual(["k", "next"]);
    await expect.poll(() => ended).toEqual(["done", "done"]);
    await runner.stop(1_000);
    expect(await store.server.jobs.counts()).toMatchObject({ done: 2, waiting: 0, running: 0 });
    await store.close();
  });

  it("retries a failed job later, and logs the error", async () => {
    const { store, runner, ended } = start(() => Promise.reject(new Error("No model.")));
    await runner.add(job);
    await expect.poll(() => ended).toEqual(["failed"]);
    const [waiting] = await store.server.jobs.list();
    expect(waiting).toMatchObject({ state: "waiting", attempts: 1, lastError: "No model." });
    expect(waiting?.runAt).toBeGreaterThan(waiting?.createdAt ?? 0);
    await runner.stop(1_000);
    await store.close();
  });

  it("marks a job as dead after its last attempt, and queues it again when it is revived", async () => {
    const { store, runner, ended } = start(() => Promise.reject(new Error("No model.")));
    await runner.add({ ...job, maxAttempts: 1 });
    await expect.poll(() => ended).toEqual(["dead"]);
    await runner.stop(1_000);
    const [dead] = await store.server.jobs.list({ state: "dead" });
    expect(await store.server.jobs.revive(dead?.id ?? "")).toBe(true);
    await store.close();
  });

  it("does not retry a job whose subject is gone", async () => {
    const { store, runner, ended } = start(() => Promise.reject(new NotFoundError("Session s")));
    await runner.add(job);
    await expect.poll(() => ended).toEqual(["done"]);
    await runner.stop(1_000);
    await store.close();
  });

  it("finishes the running job before it stops", async () => {
    const gate = Promise.withResolvers<Following>();
    const begun = Promise.withResolvers<void>();
    const { store, runner, ended } = start(() => {
      begun.resolve();
      return gate.promise;
    });
    await runner.add(job);
    await begun.promise;
    const stopped = runner.stop(10_000);
    gate.resolve(nothing);
    await stopped;
    expect(ended).toEqual(["done"]);
    await store.close();
  });

  it.each([
    ["heeds the stop", (signal: AbortSignal) => new Promise<never>((_, no) => signal.addEventListener("abort", no))],
    ["does not heed it", () => new Promise<never>(() => undefined)],
  ])("releases a job that takes too long and %s: the attempt does not count", async (_, hang) => {
    const begun = Promise.withResolvers<void>();
    const { store, runner } = start(async (__, signal) => {
      begun.resolve();
      return hang(signal);
    });
    await runner.add(job);
    await begun.promise;
    await runner.stop(20);
    expect(await store.server.jobs.list()).toMatchObject([{ state: "waiting", attempts: 0 }]);
    await store.close();
  });
});
