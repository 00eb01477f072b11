import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { DAY, HOUR } from "../../internal/time.ts";
import { START } from "../../memory/open-memory.fixture.ts";
import type { Prediction } from "../context-api.ts";
import { EVIDENCE, type Kind } from "./memory-evidence.ts";
import { likelihoodOf } from "./predict-memories.ts";
import { commitOf, historyOnly, openPredictor } from "./predictor.fixture.ts";

const textsOf = ({ memories }: Prediction): string[] => memories.map(({ memory }) => memory.levels.full);

describe("predicted memories", () => {
  it("match opened and predicted files that they name", async () => {
    const commits = Array.from({ length: 6 }, (_, at) => commitOf(at, ["src/login.ts", "src/token.ts"]));
    const { predictor, memory } = await openPredictor({ workspace: historyOnly(commits) });
    await predictor.learnHistory();
    await memory.remember({ text: "Tokens in src/token.ts are signed twice." });
    const file = { type: "file" as const, ref: "src/login.ts" };
    await memory.remember({ text: "Logins are limited to five a minute.", artifacts: [file] });
    await memory.remember({ text: "Prices in src/price.ts are in cents." });
    const prediction = await predictor.predict({ fileOpened: "src/login.ts" });
    expect(textsOf(prediction)).toEqual([
      "Logins are limited to five a minute.",
      "Tokens in src/token.ts are signed twice.",
    ]);
    expect(prediction.memories.map(({ reasons }) => reasons)).toEqual([
      ["names login.ts"],
      ["names token.ts, which is likely next"],
    ]);
    expect(prediction.confidence).toBeGreaterThan(prediction.memories[0]?.confidence ?? 1);
  });

  it("match a similar error and words of the branch", async () => {
    const { predictor, memory } = await openPredictor();
    await memory.remember({
      text: "The connection pool was exhausted: TimeoutError acquiring a client. Fixed by releasing clients.",
    });
    await memory.remember({ text: "Invoices are rounded per line since the audit." });
    await memory.remember({ text: "The office has a coffee machine." });
    const error = await predictor.predict({
      error: "TimeoutError: timeout exceeded acquiring a client from the connection pool",
    });
    expect(textsOf(error)[0]).toMatch(/^The connection pool/);
    expect(error.memories[0]?.reasons).toContain("fits the error");
    const branch = await predictor.predict({ branch: "feature/invoice-rounding" });
    expect(textsOf(branch)).toEqual(["Invoices are rounded per line since the audit."]);
    expect(textsOf(await predictor.predict({ branch: "main" }))).toEqual([]);
  });

  it("that match an error are searched once, and again after a write", async () => {
    const { predictor, memory } = await openPredictor();
    const told = await memory.remember({ text: "TimeoutError: the pool was empty. Clients were not released." });
    const relevant = vi.spyOn(memory, "findRelevant");
    const error = "TimeoutError: the pool is empty";
    for (const fileOpened of ["src/a.ts", "src/b.ts", "src/c.ts"]) {
      const { memories } = await predictor.predict({ fileOpened, error });
      expect(memories.map((one) => one.memory.id)).toContain(told.memory.id);
    }
    expect(relevant).toHaveBeenCalledTimes(1);
    await memory.remember({ text: "TimeoutError: the pool is empty while backups run." });
    expect((await predictor.predict({ error })).memories).toHaveLength(2);
    expect(relevant).toHaveBeenCalledTimes(2);
  });

  it("match the collaborator whose preferences they are", async () => {
    const { predictor, memory } = await openPredictor();
    await memory.remember({
      text: "Mara prefers small pull requests.",
      subject: "Mara",
      key: "pull_requests",
      category: "preference",
      value: "small",
    });
    await memory.remember({
      text: "Ben prefers long reviews.",
      subject: "Ben",
      key: "reviews",
      category: "preference",
      value: "long",
    });
    const { memories } = await predictor.predict({ collaborator: "mara" });
    expect(memories.map(({ memory: one }) => one.subject)).toEqual(["Mara"]);
  });

  it("match the usual hour of a workflow", async () => {
    const { predictor, memory } = await openPredictor();
    const nine = Math.floor(START / DAY) * DAY + 9 * HOUR;
    await memory.remember({
      text: "deploy: test, build, stage",
      kind: "workflow",
      title: "deploy",
      source: { at: nine - DAY },
    });
    expect(textsOf(await predictor.predict({ at: nine + HOUR / 2 }))).toEqual(["deploy: test, build, stage"]);
    expect(textsOf(await predictor.predict({ at: nine + 8 * HOUR }))).toEqual([]);
  });

  it("rank higher if they were useful before", async () => {
    const { predictor, memory, clock } = await openPredictor();
    const { memory: used } = await memory.remember({ text: "The queue drops messages over 64 kB." });
    await memory.remember({ text: "The queue is called Ferdinand." });
    for (const sessionId of ["s1", "s2", "s3"]) {
      clock.pass(HOUR);
      await predictor.observe({ sessionId, fileOpened: "src/worker.ts" });
      await predictor.observe({ sessionId, memoriesUsed: [used.id] });
    }
    const { memories } = await predictor.predict({ sessionId: "s4", fileOpened: "src/worker.ts" });
    expect(memories.map(({ memory: one }) => one.id)).toEqual([used.id]);
    await predictor.forgetSession("s1");
    await predictor.forgetSession("s2");
    await predictor.forgetSession("s3");
    expect((await predictor.predict({ sessionId: "s4", fileOpened: "src/worker.ts" })).memories).toEqual([]);
  });

  it("rank higher with citations and lower when ignored", async () => {
    const { predictor, memory } = await openPredictor();
    const { memory: one } = await memory.remember({ text: "Tokens in src/token.ts are signed twice." });
    const confidence = async () =>
      (await predictor.predict({ fileOpened: "src/token.ts" })).memories[0]?.confidence ?? 0;
    const first = await confidence();
    await memory.cite(one.id);
    const cited = await confidence();
    for (let times = 0; times < 6; times += 1) await memory.ignore(one.id);
    const ignored = await confidence();
    expect(cited).toBeGreaterThan(first);
    expect(ignored).toBeLessThan(first);
    await memory.forget(one.id);
    expect(await confidence()).toBe(0);
  });
});

const anyStrengths = fc.record(
  Object.fromEntries(EVIDENCE.map((kind) => [kind, fc.double({ min: 0, max: 1, noNaN: true })])),
  { requiredKeys: [] },
);
const likelihood = (strengths: Partial<Record<Kind, number>>): number => likelihoodOf({ strengths, reasons: [] });

describe("likelihoodOf", () => {
  it("is a probability that more evidence never lowers", () => {
    fc.assert(
      fc.property(anyStrengths, anyStrengths, (some, more) => {
        const both = { ...some };
        for (const kind of EVIDENCE) if (more[kind]) both[kind] = Math.max(some[kind] ?? 0, more[kind]);
        expect(likelihood(some)).toBeGreaterThan(0);
        expect(likelihood(both)).toBeLessThan(1);
        expect(likelihood(both)).toBeGreaterThanOrEqual(likelihood(some));
      }),
    );
  });

  it("is higher for naming the opened file than for similar words, and highest for earlier usefulness", () => {
    const [alike, named] = [likelihood({ fitsBranch: 1 }), likelihood({ namesOpened: 1 })];
    const used = likelihood({ namesOpened: 1, usedBefore: 0.5 });
    expect([alike < 0.5, named > 0.5, used > named]).toEqual([true, true, true]);
  });
});
