import { describe, expect, it } from "vitest";
import { InvalidOptionError } from "../../errors/input-errors.ts";
import type { Embedder } from "../../ports/embedder.ts";
import type { Store } from "../../ports/store.ts";
import { inProcessStore } from "../../store/in-process.ts";
import type { IngestInput, IngestMessage } from "../memory-api.ts";
import { openMemory, START, StandingClock, textsOf } from "../open-memory.fixture.ts";

const user = (text: string, more: Partial<IngestMessage> = {}): IngestMessage => ({ role: "user", text, ...more });
const SPACE = "user:local";

describe("ingest", () => {
  it("stores turns in order with speaker and time, and extracts facts", async () => {
    const { memory, store } = await openMemory();
    const { turns, memories } = await memory.ingest({
      sessionId: "s1",
      messages: [
        user("Hi! I live in Lisbon.", { id: "m1", at: START - 50 }),
        { role: "assistant", text: "Nice to meet you.", at: new Date(START - 40).toISOString() },
        user("I love surfing.", { name: "Ada", at: new Date(START - 30) }),
      ],
    });
    expect(turns).toHaveLength(3);
    expect(await store.memories.list(SPACE, "turns", { sessionId: "s1" })).toMatchObject([
      { id: "m1", messageId: "m1", position: 0, role: "user", at: START - 50, createdAt: START, owner: "local" },
      { position: 1, role: "assistant", at: START - 40 },
      { position: 2, speaker: "Ada", at: START - 30 },
    ]);
    expect(memories.map(({ outcome, memory: { levels, source } }) => [outcome, levels.full, source])).toEqual([
      ["added", "I live in Lisbon", { sessionId: "s1", messageId: "m1", at: START - 50, quote: "I live in Lisbon" }],
      [
        "added",
        "I love surfing",
        expect.objectContaining({ sessionId: "s1", speaker: "Ada", quote: "I love surfing" }),
      ],
    ]);
    expect(memories[0]?.memory).toMatchObject({
      confidence: 0.75,
      byHand: false,
      validFrom: START - 50,
      category: "identity",
    });
  });

  it("stores a message with extract: false without extracting facts from it", async () => {
    const { memory } = await openMemory();
    const messages = [user("I live in Lisbon.", { extract: false }), user("I love surfing.")];
    const { turns, memories } = await memory.ingest({ sessionId: "s1", messages });
    expect(turns).toHaveLength(2);
    expect(memories.map((one) => one.memory.levels.full)).toEqual(["I love surfing"]);
    expect(await textsOf(memory, "Where do I live?", { limit: 1 })).toEqual(["I live in Lisbon."]);
    const wrong = [user("Hi.", { extract: "no" as never })];
    await expect(memory.ingest({ sessionId: "s1", messages: wrong })).rejects.toThrow("messages[0].extract");
  });

  it("links a fact to its turn with a verbatim quote", async () => {
    const { memory, store } = await openMemory();
    const { memories } = await memory.ingest({
      sessionId: "s1",
      messages: [user("Well, I'm allergic to nuts, sadly.")],
    });
    for (const { memory: fact } of memories) {
      const [turn] = await store.memories.get(SPACE, "turns", [fact.source.messageId ?? ""]);
      expect(turn?.text).toContain(fact.source.quote);
    }
    expect(memories).toHaveLength(1);
  });

  it("stores a repeated message once, and counts its facts once", async () => {
    const { memory, store } = await openMemory();
    const input = {
      sessionId: "s1",
      messages: [user("I live in Lisbon.", { id: "m1" }), user("I love tea.", { id: "m2" })],
    };
    const first = await memory.ingest(input);
    const { revision } = await store.memories.head(SPACE);
    expect(await memory.ingest(input)).toEqual({ turns: [], memories: [] });
    expect((await store.memories.head(SPACE)).revision).toBe(revision);
    const more = {
      ...input,
      messages: [...input.messages, user("I love tea.", { id: "m3" }), user("x", { id: "m3" })],
    };
    const second = await memory.ingest(more);
    expect(second.turns).toEqual(["m3"]);
    expect(second.memories).toMatchObject([
      { outcome: "merged", memory: { id: first.memories[1]?.memory.id, mentions: 2 } },
    ]);
    expect((await store.memories.list(SPACE, "turns", { sessionId: "s1" })).map(({ position }) => position)).toEqual([
      0, 1, 2,
    ]);
  });

  it("treats a message without an id as new", async () => {
    const { memory, store } = await openMemory();
    for (let n = 0; n < 2; n += 1) await memory.ingest({ sessionId: "s1", messages: [user("Hello")] });
    expect((await store.memories.list(SPACE, "turns", { sessionId: "s1" })).length).toBe(2);
  });

  it("separates equal message ids of different sessions, and message ids from memory ids", async () => {
    const { memory, store } = await openMemory();
    const messages = [user("I live in Lisbon.", { id: "1" }), user("Good morning", { id: "mem_1" })];
    await memory.ingest({ sessionId: "a", messages });
    await memory.ingest({ sessionId: "b", messages });
    await memory.ingest({ sessionId: "b", messages });
    for (const session of ["a", "b"]) {
      const turns = await store.memories.list(SPACE, "turns", { sessionId: session });
      expect(turns.map(({ messageId, position }) => [messageId, position])).toEqual([
        ["1", 0],
        ["mem_1", 1],
      ]);
    }
    expect(await memory.list()).toMatchObject([{ mentions: 2 }]);
  });

  it("stores more messages than fit in one transaction, in order", async () => {
    const { memory, store } = await openMemory();
    const messages = Array.from({ length: 450 }, (_, n) => ({ role: "assistant", text: `Line ${n}`, id: `m${n}` }));
    const { turns } = await memory.ingest({ sessionId: "s1", messages });
    expect(turns).toEqual(messages.map(({ id }) => id));
    const kept = await store.memories.list(SPACE, "turns", { sessionId: "s1" });
    expect(kept.map(({ text, position }) => [text, position])).toEqual(messages.map(({ text }, n) => [text, n]));
  });

  it("continues after the last turn if an earlier one was erased", async () => {
    const { memory, store } = await openMemory();
    const messages = ["a", "b", "c"].map((id) => user(`Line ${id}`, { id }));
    await memory.ingest({ sessionId: "s1", messages });
    await memory.purge("a");
    await memory.ingest({ sessionId: "s1", messages: [user("Line d", { id: "d" })] });
    const kept = await store.memories.list(SPACE, "turns", { sessionId: "s1" });
    expect(kept.map(({ id, position }) => [id, position])).toEqual([
      ["b", 1],
      ["c", 2],
      ["d", 3],
    ]);
  });

  it("masks secrets by default", async () => {
    const { memory, store } = await openMemory();
    const key = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD";
    const messages = [user(`My key is ${key}. I live in Oslo.`, { id: "m1" })];
    await memory.ingest({ sessionId: "s1", messages });
    const hidden = `${key.slice(0, 6)}\u200b${key.slice(6)}`;
    await memory.ingest({ sessionId: "s1", messages: [user(`Once more: ${hidden}`, { id: "m2" })] });
    expect(JSON.stringify(await memory.export())).not.toContain(key.slice(10));
    expect((await textsOf(memory, "key")).join()).not.toContain(key.slice(10));
    expect(await memory.list()).toMatchObject([{ value: "Oslo" }]);
    await memory.ingest({ sessionId: "s2", messages, keepSecrets: true });
    expect((await store.memories.list(SPACE, "turns", { sessionId: "s2" }))[0]?.text).toContain(key);
  });

  it("extracts nothing from injected or recalled text", async () => {
    const { memory } = await openMemory();
    const block = "## What you know about this user\n\nAbout user:\n- I live in Rome\n- I love opera\n";
    const { memories } = await memory.ingest({
      sessionId: "s1",
      messages: [
        user("I live in Rome.", { synthetic: true }),
        user("I love opera. I live in Oslo.", { synthetic: [{ start: 0, end: 13 }] }),
        user(`${block}\nThanks for that.`),
        user("<memories>\nI work at Initech.\n</memories>"),
        { role: "assistant", text: "I live in Athens." },
        { role: "tool", text: "I live in Sparta." },
        { role: "system", text: "I live in Troy." },
      ],
    });
    expect(memories.map(({ memory: { levels } }) => levels.full)).toEqual(["I live in Oslo"]);
  });

  it("replaces a fact by a later one, and orders an earlier one before it", async () => {
    const { memory } = await openMemory();
    const tell = (id: string, city: string, at: number) =>
      memory.ingest({ sessionId: "s1", messages: [user(`I live in ${city}.`, { id, at: START + at })] });
    await tell("m2", "Oslo", -20);
    await tell("m3", "Rome", -10);
    await tell("m1", "Bern", -30);
    expect((await memory.list()).map(({ value }) => value)).toEqual(["Rome"]);
    expect(
      (await memory.recall("Where does the user live?", { asOf: START - 25, from: "memories" }))[0]?.memory?.value,
    ).toBe("Bern");
  });

  const wrong: [string, unknown][] = [
    ["no session", { messages: [] }],
    ["an empty session id", { sessionId: "", messages: [] }],
    ["no messages", { sessionId: "s" }],
    ["a message without a role", { sessionId: "s", messages: [{ text: "x" }] }],
    ["a message without a text", { sessionId: "s", messages: [{ role: "user" }] }],
    ["a message with a number for an id", { sessionId: "s", messages: [{ role: "user", text: "x", id: 7 }] }],
    ["a message with an empty id", { sessionId: "s", messages: [{ role: "user", text: "x", id: "" }] }],
    ["a date that is none", { sessionId: "s", messages: [{ role: "user", text: "x", at: "yesterday" }] }],
    ["a time beyond all calendars", { sessionId: "s", messages: [{ role: "user", text: "x", at: 1e18 }] }],
  ];
  it.each(wrong)("refuses %s and stores nothing", async (_what, input) => {
    const { memory, store } = await openMemory();
    const messages = (input as IngestInput).messages;
    const whole = Array.isArray(messages)
      ? { ...(input as IngestInput), messages: [user("Hello"), ...messages] }
      : input;
    await expect(memory.ingest(whole as IngestInput)).rejects.toBeInstanceOf(InvalidOptionError);
    expect(await store.memories.spaces()).toEqual([]);
  });
});

describe("a batch of facts", () => {
  const SEVERAL = "Hi! I live in Lisbon. I love surfing. My name is Ada. I work at Initech.";

  /** A store that counts commits, and an embedder that counts calls. */
  async function openCounting(meanwhile: (tries: number) => Promise<void> = async () => undefined) {
    const clock = new StandingClock();
    const store = inProcessStore(clock);
    const { memories } = store;
    const counts = { commits: 0, embeddings: 0 };
    const counting: Store = {
      ...store,
      memories: {
        ...memories,
        async commit(space, commit) {
          counts.commits += 1;
          await meanwhile(counts.commits);
          return memories.commit(space, commit);
        },
      },
    };
    const embedder: Embedder = {
      name: "counting",
      dimensions: 2,
      async embed(texts) {
        counts.embeddings += 1;
        return texts.map((text) => Float32Array.of(1, text.length));
      },
    };
    return { ...(await openMemory({ store: counting, clock, embedder })), counts, memories };
  }

  it("is one commit with its turns, and one call of the embedder", async () => {
    const { memory, counts, store } = await openCounting();
    const messages = [user(SEVERAL, { id: "m1" }), user("I love jazz. I hate coffee.", { id: "m2" })];
    const ingested = await memory.ingest({ sessionId: "s1", messages });
    expect(ingested.turns).toEqual(["m1", "m2"]);
    expect(ingested.memories.map(({ outcome }) => outcome)).toEqual(Array(6).fill("added"));
    expect(counts).toEqual({ commits: 1, embeddings: 1 });
    expect(await store.memories.head(SPACE)).toMatchObject({ revision: 1 });
    expect(await memory.list()).toHaveLength(6);
  });

  it("is written once after any number of lost commits", async () => {
    const opened = await openCounting(async (commits) => {
      if (commits > 3) return;
      await opened.memories.commit(SPACE, { revision: commits - 1 });
    });
    await opened.memory.ingest({ sessionId: "s1", messages: [user(SEVERAL, { id: "m1" })] });
    expect(opened.counts).toEqual({ commits: 4, embeddings: 1 });
    expect((await opened.memory.list()).map(({ mentions }) => mentions)).toEqual([1, 1, 1, 1]);
    expect(await opened.memory.journal()).toHaveLength(4);
  });

  it("has a separate journal entry per fact, which can be undone", async () => {
    const { memory } = await openMemory();
    await memory.ingest({ sessionId: "s1", messages: [user(SEVERAL)] });
    const journal = await memory.journal();
    expect(journal.map(({ action, changes }) => [action, changes.length])).toEqual(Array(4).fill(["remember", 1]));
    await memory.undo(journal[0]?.id ?? "");
    expect((await memory.list()).map(({ levels }) => levels.full)).toEqual([
      "I live in Lisbon",
      "I love surfing",
      "My name is Ada",
    ]);
  });

  it("replaces facts that a later one ends", async () => {
    const { memory } = await openMemory();
    const { memories } = await memory.ingest({
      sessionId: "s1",
      messages: [
        user("I live in Rome. I love tea.", { id: "m1", at: START - 30 }),
        user("I live in Oslo.", { id: "m2", at: START - 10 }),
      ],
    });
    const [rome, , oslo] = memories;
    expect(memories.map(({ outcome }) => outcome)).toEqual(["added", "added", "replaced"]);
    expect(oslo).toMatchObject({ updatesFactId: rome?.memory.id, memory: { supersedes: rome?.memory.id } });
    expect(await memory.get(rome?.memory.id ?? "")).toMatchObject({
      validTo: START - 10,
      supersededBy: oslo?.memory.id,
    });
    expect(await textsOf(memory, "Where does the user live?", { from: "memories" })).toContain("I live in Oslo");
    expect(await textsOf(memory, "Rome", { from: "memories" })).not.toContain("I live in Rome");
  });

  it("finds contradictions between its facts", async () => {
    const { memory } = await openMemory();
    const facts = "- The build takes 5 minutes\n- The build takes 50 minutes";
    await memory.import(facts);
    const [found, ...rest] = await memory.contradictions({ status: "open" });
    const ids = (await memory.list()).map(({ id }) => id);
    expect([found?.memoryA, found?.memoryB]).toEqual(ids);
    expect(rest).toEqual([]);
  });

  it("evicts facts above the cap, the oldest first", async () => {
    const { memory } = await openMemory();
    const facts = Array.from({ length: 170 }, (_, n) => `colour-${n}-${n * 7}`);
    const messages = facts.map((colour, n) => user(`I love ${colour}.`, { id: `m${n}`, at: START - 200 + n }));
    const { memories } = await memory.ingest({ sessionId: "s", messages });
    expect(memories).toHaveLength(170);
    const kept = (await memory.list({ limit: 1_000 })).map(({ levels }) => levels.full);
    expect(kept).toEqual(facts.slice(20).map((colour) => `I love ${colour}`));
  });
});
