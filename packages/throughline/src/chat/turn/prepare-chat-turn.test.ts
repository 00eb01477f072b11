import { describe, expect, it } from "vitest";
import { openMemory } from "../../memory/open-memory.fixture.ts";
import { compactContext } from "../compact/compact-context.ts";
import { buildContextWithMemory } from "../inject/build-context.ts";
import { memoryFactOf } from "../memory-fact.arbitrary.ts";
import { chatRecaller, chatSessionOptions, prepareChatTurn } from "./prepare-chat-turn.ts";
import { readContextUsage } from "./read-context-usage.ts";

const work = memoryFactOf("Migrating the shop to Postgres");
const home = memoryFactOf("Lives in Lisbon", { category: "identity" });
const taste = memoryFactOf("Prefers short answers", { category: "preference", confidence: 0.6 });
const facts = [home, taste, work];

async function sessionWith(texts: readonly string[], options = { contextLimit: 8_000, outputReserve: 1_000 }) {
  const { throughline } = await openMemory();
  const session = throughline.session("s1", { modelId: "gpt-4o", ...options });
  await session.append(
    texts.map((content, n) => (n % 2 === 0 ? { role: "user", content } : { role: "assistant", content })),
  );
  return session;
}

describe("chatRecaller", () => {
  it("returns the specified block, its sources and their reasons", async () => {
    const session = await sessionWith(["Hello", "Hi", "Which postgres version should it be?"]);
    const turn = await session.prepare({ system: "Be kind.", memory: chatRecaller({ facts }) });
    expect(turn.system).toBe(`Be kind.

## What you know about this user

Current work:
- Migrating the shop to Postgres

Preferences:
- Prefers short answers`);
    expect(turn.receipt.items.find(({ rule }) => rule === "memory")).toMatchObject({
      sources: [work.id, taste.id],
      reasons: { [work.id]: 'Active project (matched "postgres")', [taste.id]: "Preference" },
    });
  });

  it("uses at most 150 tokens if the window is full, and none if nothing fits", async () => {
    const many = Array.from({ length: 80 }, (_, n) => memoryFactOf(`Working on part number ${n} of the plan`));
    const wanted = { question: "Go on", budget: 500, contextLimit: 4_000, isInWindow: () => false };
    const small = await chatRecaller({ facts: many })({ ...wanted, windowTokens: 3_900 });
    const large = await chatRecaller({ facts: () => many })({ ...wanted, windowTokens: 100 });
    expect(large?.sources.length).toBeGreaterThan((small?.sources.length ?? 0) * 2);
    expect(await chatRecaller({ facts: [home] })({ ...wanted, windowTokens: 0 })).toBeUndefined();
  });
});

describe("prepareChatTurn", () => {
  it("reports the memories in the window with their reasons", async () => {
    const session = await sessionWith(["Where do I live?"]);
    const turn = await prepareChatTurn(session, { system: "Be kind.", facts });
    expect(turn.stage).toBe("none");
    expect(turn.used).toEqual([
      { id: work.id, reason: "Active project" },
      { id: taste.id, reason: "Preference" },
      { id: home.id, reason: 'You asked about yourself (matched "live")' },
    ]);
    expect(turn.messages).toHaveLength(1);
  });

  it("uses the given message", async () => {
    const session = await sessionWith(["Where do I live?"]);
    const turn = await prepareChatTurn(session, { facts, message: "Explain closures" });
    expect(turn.used.map(({ id }) => id)).not.toContain(home.id);
  });

  it("continues without memories that cannot be loaded", async () => {
    const session = await sessionWith(["Where do I live?"]);
    const turn = await prepareChatTurn(session, { facts: () => Promise.reject(new Error("the store is gone")) });
    expect(turn.used).toEqual([]);
    expect(turn.receipt.notes.join()).toContain("No memories: the store is gone");
  });

  it("compacts a long conversation before it drops memories", async () => {
    const session = await sessionWith(Array.from({ length: 41 }, (_, n) => `Message ${n} ${"word ".repeat(150)}`));
    const turn = await prepareChatTurn(session, { facts, message: "What is my plan?" });
    expect(turn).toMatchObject({ stage: "stage1", wasCompacted: true });
    expect(turn.used).toHaveLength(3);
  });

  it("drops memories if the window stays full", async () => {
    const pinned = { ...taste, id: "pinned", pinned: true };
    const session = await sessionWith([`What is my plan? ${"word ".repeat(1_700)}`], {
      contextLimit: 2_000,
      outputReserve: 100,
    });
    const turn = await prepareChatTurn(session, { facts: [...facts, pinned] });
    expect(turn.stage).toBe("stage2");
    expect(turn.used.map(({ id }) => id)).toEqual(["pinned", work.id]);
  });
});

describe("the presets for lists", () => {
  const SIZES = { contextLimit: 2_000, outputReserve: 100 };
  const cases = [
    { name: "a window with room", text: "Where do I live?", stage: "none" },
    { name: "a full window", text: `What is my plan? ${"word ".repeat(1_700)}`, stage: "stage2" },
  ];
  it.each(cases)("choose the same memories as a turn of a session: $name", async ({ text, stage }) => {
    const session = await sessionWith([text], SIZES);
    const system = "Be kind.";
    const turn = await prepareChatTurn(session, { system, facts, message: text });
    const options = { contextWindow: SIZES.contextLimit, currentMessage: text, baseSystemPrompt: system };
    const messages = [{ role: "user" as const, content: text }];
    const { memories, ...compacted } = compactContext(messages, facts, "gpt-4o", options);
    const { used, messages: window } = buildContextWithMemory(messages, memories, "gpt-4o", options);
    expect([turn.stage, compacted.stage]).toEqual([stage, stage]);
    expect(turn.used).toEqual(used.map(({ fact, reason }) => ({ id: fact.id, reason })));
    expect(window[0]).toEqual({ role: "system", content: turn.system });
  });
});

const chat = chatSessionOptions(2_048);
const exchanges = (count: number) =>
  Array.from({ length: count }, (_, n) => `Message ${n} about ${"garden beds ".repeat(40)}`);

describe("the stages of a turn and of the presets", () => {
  it.each([
    { messages: 15, stage: "none" },
    { messages: 17, stage: "none" },
    { messages: 19, stage: "stage1" },
    { messages: 25, stage: "stage1" },
  ])("begin at the same length: $messages messages, $stage", async ({ messages: count, stage }) => {
    const texts = exchanges(count);
    const session = await sessionWith(texts, chat);
    const turn = await prepareChatTurn(session, { system: "Be kind.", facts });
    const list = texts.map((content, n) => ({
      role: n % 2 === 0 ? ("user" as const) : ("assistant" as const),
      content,
    }));
    const options = { contextWindow: 2_048, currentMessage: texts.at(-1) ?? "", baseSystemPrompt: "Be kind." };
    const compacted = compactContext(list, facts, "gpt-4o", options);
    expect([turn.stage, compacted.stage]).toEqual([stage, stage]);
    expect(turn.tokens.final).toBeLessThan(2_048 * 0.8);
    expect(compacted.percentUsed).toBeLessThan(80);
  });
});

describe("a session of a chat", () => {
  it("is measured without a change by a dry run", async () => {
    const session = await sessionWith(exchanges(21), chat);
    const request = { system: "Be kind.", facts, message: "Go on." };
    const measured = await prepareChatTurn(session, { ...request, dryRun: true });
    expect(measured.wasCompacted).toBe(false);
    expect(await session.compactions()).toEqual([]);
    expect(await session.receipts()).toEqual([]);
    const sent = await prepareChatTurn(session, request);
    expect(sent.wasCompacted).toBe(true);
    const after = await prepareChatTurn(session, { ...request, dryRun: true });
    expect(after.receipt.tokens).toBe(sent.receipt.tokens);
    expect(await session.receipts()).toHaveLength(1);
  });

  it("names no handles to a model that cannot expand them", async () => {
    const session = await sessionWith([...exchanges(20), `Read this: ${"a long letter ".repeat(1_500)}`], chat);
    const turn = await prepareChatTurn(session, { facts: [] });
    const text = JSON.stringify(turn.messages);
    expect(text).toContain("cut here");
    expect(text).not.toMatch(/recall|part:|messages:|compaction-\d/i);
  });

  it("stays uncompacted after an undo, as long as it fits", async () => {
    const session = await sessionWith(exchanges(19), chat);
    const { receipt } = await prepareChatTurn(session, { facts: [] });
    const [event] = await session.compactions();
    expect(event).toBeDefined();
    await session.restore(event?.id ?? "");
    await session.append([{ role: "assistant", content: "Fine." }]);
    await session.append([{ role: "user", content: "Go on." }]);
    const next = await prepareChatTurn(session, { facts: [] });
    expect(next.wasCompacted).toBe(false);
    expect(next.receipt.handles).toEqual([]);
    expect(next.receipt.tokens).toBeGreaterThan(receipt.tokens);
    await session.append(
      exchanges(9).map((content, n) => (n % 2 === 0 ? { role: "assistant", content } : { role: "user", content })),
    );
    expect((await prepareChatTurn(session, { facts: [] })).wasCompacted).toBe(true);
  });
});

describe("readContextUsage", () => {
  it("adds up to the limit", async () => {
    const session = await sessionWith(["Hello", "Hi", "Where do I live?"]);
    const { receipt } = await prepareChatTurn(session, { system: "Be kind.", facts });
    const { used, limit, parts, percentUsed } = readContextUsage(receipt, { contextLimit: 8_000 });
    expect(limit).toBe(8_000);
    expect(used).toBe(receipt.tokens);
    expect(percentUsed).toBeCloseTo(receipt.tokens / 80);
    expect(Object.values(parts).reduce((sum, tokens) => sum + tokens)).toBe(8_000);
    expect(parts).toMatchObject({ reply: 1_000, summary: 0 });
    expect([parts.system, parts.memory, parts.history, parts.message].every((tokens) => tokens > 0)).toBe(true);
    expect(readContextUsage(receipt).limit).toBe(receipt.budget);
  });
});
