import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../../test/cases.ts";
import { clockedDriver } from "../../../../test/clocked-driver.ts";
import type { AnswerStore, StoredAnswer } from "../../../ports/server-store.ts";
import { backupSqlite } from "../../sqlite/backup-sqlite.ts";
import { checkSqlite } from "../../sqlite/check-sqlite.ts";
import { sqliteStore } from "../../sqlite/sqlite-store.ts";
import { createSqlStore } from "../sql-store.ts";

/** State of a key: its answer, or the holder of its claim. */
type Entry = { readonly kept: StoredAnswer } | { until: number; holder: string | undefined; isDiscarded: boolean };

/** Answers as simple as can be. */
class Model {
  time = 1_000;
  readonly #entries = new Map<string, Entry>();

  claim(key: string, milliseconds: number, holder?: string): unknown {
    const known = this.#entries.get(key);
    if (known !== undefined && "kept" in known) return known.kept;
    const isAgain = known !== undefined && holder !== undefined && known.holder === holder;
    if (known !== undefined && known.until > this.time && !isAgain) return "busy";
    const isDiscarded = isAgain && known.isDiscarded;
    this.#entries.set(key, { until: this.time + milliseconds, holder, isDiscarded });
    return "taken";
  }

  keep(key: string, kept: StoredAnswer, holder?: string): void {
    const claimed = this.#claimed(key, holder);
    if (claimed?.isDiscarded) this.#entries.delete(key);
    else if (claimed !== undefined) this.#entries.set(key, { kept });
  }

  release(key: string, holder?: string): void {
    if (this.#claimed(key, holder) !== undefined) this.#entries.delete(key);
  }

  erase(except?: string): number {
    let erased = 0;
    for (const [key, entry] of [...this.#entries].filter(([one]) => one !== except)) {
      if (!("kept" in entry)) entry.isDiscarded = true;
      else if (this.#entries.delete(key)) erased += 1;
    }
    return erased;
  }

  #claimed(key: string, holder: string | undefined) {
    const known = this.#entries.get(key);
    if (known === undefined || "kept" in known) return undefined;
    return holder === undefined || known.holder === holder ? known : undefined;
  }
}

const key = fc.constantFrom("k", "l");
const holder = fc.constantFrom("one", "two", undefined);
const time = fc.constantFrom(0, 5, 20);
const step = fc.oneof(
  fc.record({ call: fc.constant("claim" as const), key, holder, time }),
  fc.record({ call: fc.constantFrom("keep" as const, "release" as const), key, holder }),
  fc.record({ call: fc.constant("erase" as const), except: fc.option(key, { nil: undefined }) }),
  fc.record({ call: fc.constant("wait" as const), time }),
);

type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

/** Runs the same call on both, and returns both results. */
async function takeStep(answers: AnswerStore, model: Model, one: Step, body: string): Promise<[unknown, unknown]> {
  const answer = { request: "hash", status: 200, headers: {}, body };
  switch (one.call) {
    case "claim": {
      const found = await answers.claim("ann", one.key, "hash", one.time, one.holder);
      return [found, model.claim(one.key, one.time, one.holder)];
    }
    case "keep":
      return [await answers.save("ann", one.key, answer, one.holder), model.keep(one.key, answer, one.holder)];
    case "release":
      return [await answers.release("ann", one.key, one.holder), model.release(one.key, one.holder)];
    case "erase": {
      const except = one.except === undefined ? {} : { except: { owner: "ann", key: one.except } };
      return [await answers.erase({ owner: "ann", ...except }), model.erase(one.except)];
    }
    case "wait":
      model.time += one.time;
      return [0, 0];
  }
}

describe("answers in SQLite", () => {
  it("are claimed, kept and erased like simple ones, at any time", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        const model = new Model();
        const store = createSqlStore(await clockedDriver(":memory:", async () => model.time));
        for (const [n, one] of steps.entries()) {
          const [found, expected] = await takeStep(store.server.answers, model, one, `${n}`);
          expect(found).toEqual(expected);
        }
        await store.close();
      }),
      { numRuns: cases(80) },
    );
  });

  it("leave nothing in the file when they are erased, and are in a copy of it until then", async () => {
    const folder = mkdtempSync(join(tmpdir(), "throughline-answers-"));
    const path = join(folder, "t.db");
    const store = sqliteStore(path);
    const { answers, jobs, events, tokens } = store.server;
    for (const [n, length] of [3, 300, 5_000, 50_000].entries()) {
      for (const [owner, word] of [
        ["ann", "secret "],
        ["bob", "public "],
      ] as const) {
        await answers.claim(owner, `${n}`, "hash", 1_000);
        const body = Array.from({ length }, () => word).join("");
        await answers.save(owner, `${n}`, { request: "hash", status: 200, headers: { about: word }, body });
      }
    }
    await jobs.add({ kind: "k", owner: "ann", key: "k" });
    await events.append([{ owner: "ann", type: "t", data: 1 }]);
    await tokens.add({ id: "t", name: "n", hash: "h", userId: "ann", projects: [], scopes: [], createdAt: 1 });
    const copy = join(folder, "copy.db");
    await backupSqlite(path, copy);
    const copied = sqliteStore(copy);
    expect(await copied.server.answers.claim("ann", "0", "hash", 1)).toMatchObject({ body: "secret secret secret " });
    expect(await copied.server.jobs.counts()).toMatchObject({ waiting: 1 });
    expect((await copied.server.events.last(["ann"])).get("ann")).toBe(1);
    expect(await copied.server.tokens.list()).toHaveLength(1);
    await copied.close();
    rmSync(copy);
    expect(await answers.erase({ owner: "ann" })).toBe(4);
    const texts = readdirSync(folder)
      .map((file) => readFileSync(join(folder, file), "latin1"))
      .join("");
    expect([texts.includes("secret"), texts.includes("public")]).toEqual([false, true]);
    await store.close();
    expect((await checkSqlite(path)).problems).toEqual([]);
    rmSync(folder, { recursive: true });
  });
});
