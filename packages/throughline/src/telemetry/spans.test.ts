import { describe, expect, it } from "vitest";
import { InvalidOptionError } from "../errors/input-errors.ts";
import type { Model } from "../ports/model.ts";
import { clock, steps, task } from "../session/long-session.fixture.ts";
import { createThroughline } from "../throughline.ts";
import type { ThroughlineOptions } from "../throughline-api.ts";
import { RecordingTracer } from "./recording-tracer.fixture.ts";

const SECRET = "the launch is on Tuesday";

async function open(options: ThroughlineOptions = {}) {
  const tracer = new RecordingTracer();
  return { tracer, tl: await createThroughline({ clock, tracer, userId: "ada", ...options }) };
}

describe("session spans", () => {
  it("cover a turn and its steps, nested", async () => {
    const { tracer, tl } = await open();
    const session = tl.session("s", { modelId: "gpt-4o", contextLimit: 24_000 });
    await session.append([{ role: "user", content: task }, ...steps(60)]);
    const turn = await session.prepare({ system: "Be brief.", memory: true });
    expect(turn).toMatchObject({ wasPruned: true, wasCompacted: true });
    const under = (name: string) => `throughline.prepare > ${name}`;
    expect(tracer.tree).toEqual([
      "throughline.prepare",
      ...["search_memory", "throughline.prune", "throughline.compact"].map(under),
    ]);
    expect(tracer.spans.every(({ ends }) => ends === 1)).toBe(true);
    expect(tracer.find("throughline.prepare").attributes).toEqual({
      "gen_ai.conversation.id": "s",
      "gen_ai.request.model": "gpt-4o",
      "throughline.context_limit": 24_000,
      "throughline.budget": turn.receipt.budget,
      "throughline.tokens.before": turn.tokens.before,
      "throughline.tokens.after_prune": turn.tokens.afterPrune,
      "throughline.tokens.after_compact": turn.tokens.afterCompact,
      "throughline.tokens.final": turn.tokens.final,
      "throughline.was_pruned": true,
      "throughline.was_compacted": true,
      "throughline.messages.count": turn.messages.length,
      "throughline.receipt.id": turn.receipt.id,
    });
    const [event] = await session.compactions();
    expect(tracer.find("throughline.compact").attributes).toMatchObject({
      "throughline.compact.reason": "overflow",
      "throughline.compact.outcome": "compacted",
      "throughline.compact.id": event?.id,
      "throughline.compact.round": 1,
      "throughline.compact.messages": event?.compactedMessageIds.length,
      "throughline.tokens.before": event?.tokensBefore,
      "throughline.tokens.after_compact": event?.tokensAfter,
    });
    expect(tracer.find("throughline.prune").attributes["throughline.prune.outputs"]).toBeGreaterThan(0);
  });

  it("cover manual operations", async () => {
    const { tracer, tl } = await open();
    const session = tl.session("s");
    await session.append([{ role: "user", content: task }]);
    await session.prune();
    await session.compact();
    expect(tracer.tree).toEqual(["throughline.prune", "throughline.compact"]);
    expect(tracer.find("throughline.prune").attributes).toMatchObject({ "throughline.prune.outputs": 0 });
    expect(tracer.find("throughline.compact").attributes).toMatchObject({
      "throughline.compact.reason": "manual",
      "throughline.compact.outcome": "nothing",
    });
  });

  it("report why a turn could not be prepared, without its text", async () => {
    const { tracer, tl } = await open();
    const session = tl.session("s");
    await session.append([{ role: "user", content: SECRET.repeat(200) }]);
    await expect(session.prepare({ budget: 40, system: SECRET })).rejects.toThrow();
    const span = tracer.find("throughline.prepare");
    expect(span).toMatchObject({ ends: 1, status: { code: 2 } });
    expect(span.attributes["error.type"]).toBe("IrreducibleContextError");
    const stop = AbortSignal.abort(new DOMException("enough", "AbortError"));
    await expect(session.prepare({ signal: stop })).rejects.toThrow("enough");
    expect(tracer.find("throughline.prepare").attributes["error.type"]).toBe("AbortError");
    expect(tracer.text).not.toContain("Tuesday");
  });

  it("of two concurrent turns stay separate", async () => {
    const { tracer, tl } = await open();
    const sessions = ["a", "b"].map((id) => tl.session(id));
    await Promise.all(sessions.map((session) => session.append([{ role: "user", content: "Hello" }])));
    await Promise.all([...sessions, ...sessions].map((session) => session.prepare({ memory: true })));
    const searches = tracer.spans.filter(({ name }) => name === "search_memory");
    expect(searches).toHaveLength(4);
    expect(new Set(searches.map(({ parent }) => parent)).size).toBe(4);
  });
});

describe("memory spans", () => {
  it("follow the semantic conventions for memory", async () => {
    const { tracer, tl } = await open();
    const { memory } = await tl.memory.remember({ text: "We deploy on Fridays." });
    const store = { "gen_ai.memory.store.id": "user:ada" };
    expect(tracer.find("upsert_memory").attributes).toEqual({
      ...store,
      "gen_ai.operation.name": "upsert_memory",
      "gen_ai.memory.record.id": memory.id,
      "gen_ai.memory.record.count": 1,
      "throughline.memory.operation": "remember",
      "throughline.memory.outcome": "added",
    });
    const hits = await tl.memory.recall("When do we deploy?");
    expect(tracer.find("search_memory").attributes).toEqual({
      ...store,
      "gen_ai.operation.name": "search_memory",
      "gen_ai.memory.record.count": hits.length,
      "throughline.memory.operation": "recall",
    });
    await tl.memory.update(memory.id, { pinned: true });
    expect(tracer.find("update_memory").attributes).toMatchObject({
      "gen_ai.memory.record.id": memory.id,
      "gen_ai.memory.record.count": 1,
    });
    await tl.memory.purge([memory.id]);
    expect(tracer.find("delete_memory").attributes).toEqual({
      ...store,
      "gen_ai.operation.name": "delete_memory",
      "gen_ai.memory.record.id": memory.id,
      "gen_ai.memory.record.count": 1,
      "throughline.memory.operation": "purge",
    });
  });

  it("report all changes of memories, each by its name", async () => {
    const { tracer, tl } = await open({ projectId: "p" });
    const messages = [{ role: "user", text: "My name is Ada. I live in Zürich." }];
    const { memories } = await tl.memory.ingest({ sessionId: "s1", messages });
    const exported = await tl.memory.export();
    const { memory } = await tl.memory.remember({ text: "We deploy on Fridays." });
    await tl.memory.forget(memory.id);
    await tl.memory.consolidate({ dryRun: true });
    await tl.memory.import(exported);
    await tl.memory.share({ userIds: ["ada"] });
    const [entry] = await tl.memory.journal({ limit: 1 });
    await tl.memory.undo(entry?.id ?? "");
    await tl.purgeSession("s1");
    const called = tracer.spans.map(({ name, attributes }) => [attributes["throughline.memory.operation"], name]);
    expect(called).toEqual([
      ["ingest", "upsert_memory"],
      ["remember", "upsert_memory"],
      ["forget", "update_memory"],
      ["consolidate", "upsert_memory"],
      ["import", "upsert_memory"],
      ["share", "upsert_memory"],
      ["undo", "upsert_memory"],
      ["purgeSession", "delete_memory"],
    ]);
    expect(tracer.spans[0]?.attributes).toMatchObject({
      "gen_ai.conversation.id": "s1",
      "gen_ai.memory.record.count": memories.length,
    });
    expect(memories.length).toBeGreaterThan(0);
  });

  it("report an error and rethrow it", async () => {
    const { tracer, tl } = await open();
    const wrong = undefined as never;
    await expect(tl.memory.purge(wrong)).rejects.toBeInstanceOf(InvalidOptionError);
    await expect(tl.memory.ingest(wrong)).rejects.toThrow();
    await expect(tl.memory.forget("nothing")).rejects.toThrow();
    expect(tracer.spans.map(({ attributes }) => attributes["error.type"])).toEqual([
      "InvalidOptionError",
      "TypeError",
      "NotFoundError",
    ]);
    expect(tracer.spans.every(({ ends }) => ends === 1)).toBe(true);
  });
});

describe("content", () => {
  const model: Model = { modelId: "m", generate: async () => ({ text: "## Goal\nTuesday" }) };

  async function work(options: ThroughlineOptions) {
    const { tracer, tl } = await open({ model, ...options });
    const session = tl.session("s", { modelId: "gpt-4o", contextLimit: 24_000 });
    await tl.memory.remember({ text: `We know that ${SECRET}.` });
    await session.append([{ role: "user", content: `${SECRET}. ${task}` }, ...steps(60)]);
    await session.prepare({ system: SECRET, memory: true, message: "When is the launch? On Tuesday?" });
    return tracer;
  }

  it("is in no span by default", async () => {
    const tracer = await work({});
    expect(tracer.spans.length).toBeGreaterThan(3);
    expect(tracer.text).not.toMatch(/Tuesday|launch|Rename/);
  });

  it("is in the spans if enabled", async () => {
    const tracer = await work({ recordContent: true });
    const query = tracer.find("search_memory").attributes;
    expect(query["gen_ai.memory.query.text"]).toBe("When is the launch? On Tuesday?");
    expect(JSON.parse(String(query["gen_ai.memory.records"]))).toMatchObject([
      { id: expect.any(String), content: `We know that ${SECRET}.`, score: expect.any(Number) },
    ]);
    expect(JSON.parse(String(tracer.find("upsert_memory").attributes["gen_ai.memory.records"]))).toMatchObject([
      { content: `We know that ${SECRET}.` },
    ]);
    expect(tracer.find("throughline.compact").attributes["throughline.compact.summary"]).toContain("Tuesday");
    const [said] = JSON.parse(String(tracer.find("throughline.prepare").attributes["gen_ai.system_instructions"]));
    expect(said).toMatchObject({ type: "text", content: expect.stringContaining(SECRET) });
  });
});

describe("an invalid tracer", () => {
  it("is refused", async () => {
    for (const tracer of [null, {}, "otel"]) {
      await expect(createThroughline({ tracer: tracer as never })).rejects.toBeInstanceOf(InvalidOptionError);
    }
  });
});
