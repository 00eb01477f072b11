import { describe, expect, it } from "vitest";
import { inProcessStore } from "../store/in-process.ts";
import { clock } from "./long-session.fixture.ts";
import { manualModel, openObserved, STORY, TASK } from "./manual-model.fixture.ts";
import type { Session } from "./session.ts";

const BUDGET = 6_000;
/** A summary starts above 70% of the budget. */
const NEAR = BUDGET * 0.75;

const exchange = (i: number) => [
  { role: "user" as const, content: `Question ${i}: what about module-${i}?` },
  {
    role: "assistant" as const,
    content: `The cause in module-${i} was a stale cache. ${`Detail ${i} is fine. `.repeat(60)}`,
  },
];

/** Appends exchanges, each after a prepared turn, until the window has `tokens` tokens. Returns the next number. */
async function grow(session: Session, tokens: number, from = 0): Promise<number> {
  if (from === 0) await session.append([{ role: "user", content: TASK }]);
  let i = from;
  for (; (await session.prepare({ budget: BUDGET })).tokens.final < tokens; i += 1) await session.append(exchange(i));
  return i;
}

/** Appends exchanges until the next turn has to compact, and returns that turn. */
async function overflow(session: Session, from: number) {
  const { length } = await session.compactions();
  for (let i = from; ; i += 1) {
    await session.append(exchange(i));
    const turn = await session.prepare({ budget: BUDGET });
    if (turn.wasCompacted) return { turn, event: (await session.compactions())[length], next: i + 1 };
  }
}

describe("a session with a model", () => {
  it("does not wait for a model that does not answer, neither in a turn nor in close", async () => {
    const { model, calls, asked } = manualModel();
    const { tl, session, logs, settle } = await openObserved({ model });
    const next = await grow(session, NEAR);
    const { request } = await asked(1);
    const { event } = await overflow(session, next);
    expect(event?.withoutProse).toBe("the model's summary was not ready");
    expect(event?.summary).toContain("stale cache");
    expect(request.signal?.aborted).toBe(true);
    expect(logs.filter((line) => line.includes("was not ready"))).toHaveLength(1);
    await grow(session, NEAR, next + 50);
    await asked(2);
    await tl.close();
    await settle();
    expect(calls.every(({ request: { signal } }) => signal?.aborted)).toBe(true);
  });

  it("asks for no summary while the window is far from its next compaction", async () => {
    const { model, calls } = manualModel();
    const { session, pending } = await openObserved({ model });
    await grow(session, BUDGET * 0.5);
    expect(pending).toEqual([]);
    expect(calls).toEqual([]);
  });

  it("uses the summary that is ready, and summarizes later messages without a model", async () => {
    const { model, calls, asked } = manualModel();
    const { session, settle } = await openObserved({ model });
    const next = await grow(session, NEAR);
    (await asked(1)).answer(STORY);
    await settle();
    const { event, turn } = await overflow(session, next);
    expect(event).toMatchObject({ proseUpTo: expect.any(Number) });
    expect(event?.withoutProse).toBeUndefined();
    expect(event?.summary).toContain("Stripe was chosen.");
    const told = [...(event?.summary ?? "").matchAll(/cause in module-(\d+)/g)].map(([, i]) => Number(i));
    // Message 0 is the task, and each exchange has two.
    expect(told.length).toBeGreaterThan(0);
    for (const i of told) expect(2 * i + 3).toBeGreaterThan(event?.proseUpTo ?? 0);
    expect(JSON.stringify(turn.messages)).toContain("Never touch src/legacy.ts.");
    expect(calls).toHaveLength(1);
  });

  it("gives the model the extractive narrative of a summary without prose", async () => {
    const { model, asked } = manualModel();
    const { session } = await openObserved({ model });
    const { next } = await overflow(session, await grow(session, NEAR));
    await grow(session, NEAR, next);
    const [, previous] = (await asked(2)).request.prompt.split(/<\/?previous-summary>/);
    expect(previous).toContain("stale cache");
  });

  it("does not change a summary that was sent, if the model answers after it", async () => {
    const { model, asked } = manualModel();
    const { session, settle } = await openObserved({ model });
    const next = await grow(session, NEAR);
    const call = await asked(1);
    const { turn, next: later } = await overflow(session, next);
    call.answer(STORY);
    await settle();
    await session.append(exchange(later));
    const after = await session.prepare({ budget: BUDGET });
    expect(after.wasCompacted).toBe(false);
    expect(after.messages.slice(0, turn.messages.length)).toEqual(turn.messages);
  });

  it("logs once why the model wrote no summary, adds the reason to the event, and calls the model once per compaction", async () => {
    const { model, calls, asked } = manualModel();
    const { session, settle, logs } = await openObserved({ model });
    const next = await grow(session, NEAR);
    (await asked(1)).fail(new Error("overloaded"));
    await settle();
    const { event } = await overflow(session, next);
    expect(event?.withoutProse).toBe("overloaded");
    expect(logs.filter((line) => line.startsWith("warn") && line.includes("overloaded"))).toHaveLength(1);
    expect(calls).toHaveLength(1);
  });

  it("waits for the model if the turn asks for it, and if the caller compacts", async () => {
    const { model, calls, asked } = manualModel();
    const { session } = await openObserved({ model });
    const next = await grow(session, BUDGET * 0.5);
    await session.append(Array.from({ length: 12 }, (_, i) => exchange(next + i)).flat());
    const preparing = session.prepare({ budget: BUDGET, waitForModel: true });
    (await asked(1)).answer(STORY);
    expect((await preparing).wasCompacted).toBe(true);
    await session.append(exchange(next + 12));
    const compacting = session.compact({ keepTokens: 0, targetTokens: 600 });
    (await asked(2)).answer(STORY);
    expect((await compacting)?.withoutProse).toBeUndefined();
    expect(calls).toHaveLength(2);
    const events = await session.compactions();
    expect(events.map(({ summary }) => summary.includes("Stripe was chosen."))).toEqual([true, true]);
  });

  it("stops the summary in the background if the caller compacts", async () => {
    const { model, asked } = manualModel();
    const { session } = await openObserved({ model });
    await grow(session, NEAR);
    const { request } = await asked(1);
    const compacting = session.compact();
    (await asked(2)).answer(STORY);
    await compacting;
    expect(request.signal?.aborted).toBe(true);
  });

  it("continues if waitUntil throws, and starts no work after close", async () => {
    const { model, calls, asked } = manualModel();
    const waitUntil = () => {
      throw new Error("no request is running");
    };
    const store = { ...inProcessStore(clock), close: async () => undefined };
    const { tl, session, logs } = await openObserved({ model, store, waitUntil });
    const next = await grow(session, NEAR);
    await asked(1);
    expect(logs).toContain("warn Could not pass background work to waitUntil: no request is running");
    await tl.close();
    await session.append(exchange(next));
    await session.prepare({ budget: BUDGET });
    expect(calls).toHaveLength(1);
  });

  it("does not use a summary of a window that was restored", async () => {
    const { model, asked } = manualModel();
    const { session, settle } = await openObserved({ model });
    const { event, next } = await overflow(session, await grow(session, NEAR));
    const later = await grow(session, NEAR, next);
    (await asked(2)).answer(STORY);
    await settle();
    await session.restore(event?.id ?? "");
    const again = await overflow(session, later);
    expect(again.event?.withoutProse).toBe("the model's summary was not ready");
  });

  it("writes nothing for a session that is purged meanwhile", async () => {
    const { model, asked } = manualModel();
    const store = inProcessStore(clock);
    const { tl, session, settle } = await openObserved({ model, store });
    await grow(session, NEAR);
    const { request } = await asked(1);
    await tl.purgeSession("s");
    await settle();
    expect(request.signal?.aborted).toBe(true);
    expect(await store.sessions.state({ userId: "local", sessionId: "s" })).toBeUndefined();
  });
});

describe("several processes with one session", () => {
  it("write one summary at a time, and each can use it", async () => {
    const store = inProcessStore(clock);
    const [one, two] = [manualModel(), manualModel()];
    const first = await openObserved({ store, model: one.model });
    const second = await openObserved({ store, model: two.model });
    const next = await grow(first.session, NEAR);
    const call = await one.asked(1);
    await second.session.prepare({ budget: BUDGET });
    await second.session.append(exchange(next));
    expect(second.pending).toHaveLength(1);
    await second.settle();
    expect(two.calls).toEqual([]);
    call.answer(STORY);
    await first.settle();
    const { event } = await overflow(second.session, next + 1);
    expect(event?.summary).toContain("Stripe was chosen.");
    expect(two.calls).toEqual([]);
  });
});

describe("the limits of the model in a session", () => {
  it("count the calls over its whole life, in all processes", async () => {
    const store = inProcessStore(clock);
    const { model, calls, asked } = manualModel();
    const settings = { maxSummaryCalls: 1 };
    const first = await openObserved({ store, model }, settings);
    const next = await grow(first.session, NEAR);
    (await asked(1)).answer(STORY);
    await first.settle();
    await overflow(first.session, next);
    const second = await openObserved({ store, model }, settings);
    const { event, next: later } = await overflow(second.session, await grow(second.session, NEAR, next + 50));
    expect(event?.withoutProse).toBe("the session reached its limit of model calls for summaries: 1");
    await second.session.append(exchange(later));
    expect((await second.session.compact({ keepTokens: 0, targetTokens: 600 }))?.withoutProse).toBe(
      "the session reached its limit of model calls for summaries: 1",
    );
    expect(second.pending).toEqual([]);
    expect(calls).toHaveLength(1);
  });

  it("refuse a call that may take more tokens than are left", async () => {
    const { model, calls } = manualModel();
    const { session, settle, logs } = await openObserved({ model }, { maxSummaryTokens: 1_000 });
    const next = await grow(session, NEAR);
    await settle();
    const { event } = await overflow(session, next);
    expect(event?.withoutProse).toBe("the session has too few model tokens left for summaries: the limit is 1000");
    expect(logs.filter((line) => line.startsWith("warn") && line.includes("too few model tokens"))).toHaveLength(1);
    expect(calls).toEqual([]);
  });
});
