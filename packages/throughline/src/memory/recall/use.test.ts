import { describe, expect, it } from "vitest";
import type { Embedder } from "../../ports/embedder.ts";
import { openMemory, START, textsOf } from "../open-memory.fixture.ts";

describe("use", () => {
  it("is counted for cited and uncited memories", async () => {
    const { memory, clock } = await openMemory();
    const { memory: tea } = await memory.remember({ text: "User likes tea" });
    await memory.cite(tea.id);
    clock.pass(5);
    await memory.ignore(tea.id);
    await memory.ignore(tea.id);
    expect((await memory.get(tea.id))?.usage).toEqual({
      retrieved: 0,
      cited: 1,
      ignored: 2,
      lastAccessedAt: START + 5,
    });
    expect(await memory.journal()).toHaveLength(1);
  });

  it("is kept when a fact is repeated", async () => {
    const { memory } = await openMemory();
    const { memory: tea } = await memory.remember({ text: "User likes tea" });
    await memory.cite(tea.id);
    await memory.remember({ text: "User likes tea" });
    await memory.update(tea.id, { confidence: 1 });
    expect((await memory.get(tea.id))?.usage.cited).toBe(1);
  });
});

describe("aliases", () => {
  it("in common use match immediately", async () => {
    const { memory } = await openMemory();
    await memory.remember({ text: "We deploy to Kubernetes" });
    await memory.remember({ text: "The kitchen has a new kettle" });
    expect((await textsOf(memory, "k8s", { limit: 1 }))[0]).toBe("We deploy to Kubernetes");
  });

  it("in the text or the input match", async () => {
    const { memory } = await openMemory();
    await memory.remember({ text: "The Phoenix Billing Engine, aka firebird, charges the cards" });
    await memory.remember({ text: "The printer is on the second floor", aliases: ["inkmonster"] });
    await memory.remember({ text: "The kitchen has a new kettle" });
    expect((await textsOf(memory, "inkmonster", { limit: 1 }))[0]).toContain("printer");
    expect((await textsOf(memory, "firebird", { limit: 1 }))[0]).toContain("Phoenix");
  });

  it("are learned after a word was useful twice", async () => {
    const { memory } = await openMemory();
    const { memory: printer } = await memory.remember({ text: "The printer is on the second floor" });
    for (let n = 0; n < 5; n += 1) await memory.remember({ text: `The kettle number ${n} is new` });
    await memory.cite(printer.id, { query: "inkmonster" });
    expect(await memory.get(printer.id)).toMatchObject({ aliases: [], heard: expect.anything() });
    await memory.cite(printer.id, { query: "where is the inkmonster" });
    expect((await memory.get(printer.id))?.aliases).toEqual(["inkmonster"]);
    expect((await textsOf(memory, "inkmonster", { limit: 1 }))[0]).toBe("The printer is on the second floor");
  });

  it("exclude words of other memories, and secrets", async () => {
    const { memory } = await openMemory();
    const { memory: printer } = await memory.remember({ text: "The printer is on the second floor" });
    await memory.remember({ text: "The kettle is new" });
    const key = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD";
    for (let n = 0; n < 3; n += 1) {
      await memory.cite(printer.id, { query: "the new kettle" });
      await memory.cite(printer.id, { query: `my key is ${key}` });
    }
    expect(JSON.stringify(await memory.get(printer.id))).not.toMatch(/kettle|sk-proj|abcdefghij/);
  });

  it("are bounded in number", async () => {
    const { memory } = await openMemory();
    const { memory: printer } = await memory.remember({ text: "The printer is on the second floor" });
    for (let n = 0; n < 60; n += 1) await memory.cite(printer.id, { query: `wordling${"abcdefghij"[n % 10]}${n}` });
    expect(Object.keys((await memory.get(printer.id))?.heard ?? {}).length).toBeLessThanOrEqual(20);
  });
});

/** An embedder with vectors from letter counts. `texts` is the number of embedded texts. */
function letterEmbedder(name: string, fails: () => boolean = () => false): Embedder & { texts: number } {
  return {
    name,
    dimensions: 26,
    texts: 0,
    async embed(texts) {
      if (fails()) throw new Error("unreachable");
      this.texts += texts.length;
      return texts.map((text) => {
        const vector = new Float32Array(26);
        for (const letter of text.toLowerCase()) {
          const at = letter.charCodeAt(0) - 97;
          if (at >= 0 && at < 26) vector[at] = (vector[at] ?? 0) + 1;
        }
        const length = Math.hypot(...vector) || 1;
        return vector.map((value) => value / length);
      });
    },
  };
}

describe("embedders", () => {
  it("that fail leave search by words working", async () => {
    let isDown = true;
    const warnings: string[] = [];
    const embedder = letterEmbedder("letters", () => isDown);
    const logger = { info: () => undefined, warn: (text: string) => void warnings.push(text) };
    const { memory, store } = await openMemory({ embedder, logger });
    await memory.remember({ text: "User likes green tea" });
    await memory.ingest({ sessionId: "s", messages: [{ role: "user", text: "I live in Rome." }] });
    expect((await textsOf(memory, "green tea", { limit: 1 }))[0]).toBe("User likes green tea");
    expect(warnings.join()).toContain("unreachable");
    const bare = async () =>
      (await store.memories.list("user:local", "entries", { withoutVectorOf: "letters", limit: 100 })).length;
    expect(await bare()).toBe(3);
    isDown = false;
    expect(await memory.reembed()).toEqual({ embedded: 3, isDone: true });
    expect(await bare()).toBe(0);
  });

  it.each<[string, (texts: readonly string[]) => unknown]>([
    ["too few vectors", () => []],
    ["nothing", () => undefined],
    ["numbers that are none", (texts) => texts.map(() => new Float32Array(26).fill(Number.NaN))],
    ["vectors of another length", (texts) => texts.map(() => new Float32Array(3).fill(1))],
    ["empty vectors", (texts) => texts.map(() => new Float32Array(0))],
  ])("that give %s stop nothing", async (_what, give) => {
    const embedder = { name: "odd", dimensions: 26, embed: async (texts: readonly string[]) => give(texts) };
    const { memory } = await openMemory({ embedder: embedder as unknown as Embedder });
    await memory.remember({ text: "User likes green tea" });
    await memory.remember({ text: "The build takes nine minutes" });
    expect((await textsOf(memory, "green tea"))[0]).toBe("User likes green tea");
    for (const { score } of await memory.recall("green tea", { cut: "none" })) expect(score).not.toBeNaN();
  });

  it("can be changed: re-embedding resumes after an interruption", async () => {
    const old = await openMemory({ embedder: letterEmbedder("old") });
    const messages = Array.from({ length: 700 }, (_, n) => ({ role: "user", text: `Line ${n} of the log` }));
    await old.memory.ingest({ sessionId: "s", messages });
    await old.memory.remember({ text: "User likes green tea", scope: "system" });
    const embedder = letterEmbedder("new");
    const { memory } = await openMemory({ embedder, store: old.store, clock: old.clock });
    const stop = new AbortController();
    const seen: number[] = [];
    const first = await memory.reembed({
      signal: stop.signal,
      onProgress: ({ embedded }) => {
        seen.push(embedded);
        stop.abort();
      },
    });
    expect(first.isDone).toBe(false);
    expect(first.embedded).toBeLessThan(701);
    expect(seen).toEqual([first.embedded]);
    const rest = await memory.reembed();
    expect(rest).toEqual({ embedded: 701 - first.embedded, isDone: true });
    expect(embedder.texts).toBe(701);
    expect(await memory.reembed()).toEqual({ embedded: 0, isDone: true });
    expect((await textsOf(memory, "green tea", { limit: 1 }))[0]).toBe("User likes green tea");
  });
});
