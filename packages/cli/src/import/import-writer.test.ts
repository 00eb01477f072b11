import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Message, Role } from "../../../throughline/src/message/message.ts";
import { inProcessStore } from "../../../throughline/src/store/in-process.ts";
import { ImportWriter } from "./import-writer.ts";

const LOCAL_USER = "ada";
const options = { userId: LOCAL_USER, modelId: "gpt-4o" };

function message(sessionId: string, id: string, texts: readonly string[], role: Role = "assistant"): Message {
  const parts = texts.map((text, i) => ({ id: `${id}.${i}`, type: "text" as const, text }));
  return { id, sessionId, role, parts, createdAt: 1 };
}

async function keep(store: ReturnType<typeof inProcessStore>, messages: readonly Message[], dryRun = false) {
  const writer = new ImportWriter(async () => store, { ...options, dryRun });
  for (const one of messages) await writer.add(one);
  await writer.flush();
  return writer.sessions;
}

async function textsOf(store: ReturnType<typeof inProcessStore>, sessionId: string): Promise<string[]> {
  const kept = await store.messages.list({ userId: LOCAL_USER, sessionId });
  return kept.flatMap(({ parts }) => parts.map((part) => (part.type === "text" ? part.text : "")));
}

describe("ImportWriter", () => {
  it("adds each message once, with its token counts", async () => {
    const store = inProcessStore();
    const messages = [message("s", "a", ["one"]), message("s", "b", ["two"])];
    expect(await keep(store, messages)).toMatchObject([{ id: "s", added: 2, known: 0 }]);
    expect(await keep(store, messages)).toMatchObject([{ id: "s", added: 0, known: 2 }]);
    const [first] = await store.messages.list({ userId: LOCAL_USER, sessionId: "s" });
    expect(first).toMatchObject({ id: "a", tokens: 5, parts: [{ tokens: 1 }] });
  });

  it("stores every part once and in order, wherever the transcript ended in an earlier import", async () => {
    const texts = fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 4 });
    const sessions = fc.array(texts, { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(sessions, fc.array(fc.nat(), { maxLength: 4 }), async (all, cuts) => {
        const whole = all.map((parts, i) => message("s", `m${i}`, parts));
        const total = all.flat().length;
        const store = inProcessStore();
        for (const cut of [...cuts.map((at) => at % total).sort((a, b) => a - b), total]) {
          await keep(store, firstParts(whole, cut));
        }
        expect(await textsOf(store, "s")).toEqual(all.flat());
        const [again] = await keep(store, whole);
        expect(again).toMatchObject({ added: 0, known: whole.length, different: [] });
      }),
    );
  });

  it("recognizes an older copy of a stored session", async () => {
    const store = inProcessStore();
    const whole = [message("s", "a", ["one", "two"]), message("s", "b", ["three"])];
    await keep(store, whole);
    expect(await keep(store, firstParts(whole, 1))).toMatchObject([{ added: 0, known: 1, different: [] }]);
  });

  it("keeps the stored version of a message that changed, and reports it", async () => {
    const store = inProcessStore();
    await keep(store, [message("s", "a", ["one"]), message("s", "b", ["two"])]);
    const changed = [message("s", "a", ["one"]), message("s", "b", ["2"]), message("s", "c", ["three"])];
    expect(await keep(store, changed)).toMatchObject([{ added: 1, known: 1, different: ["b"], isAnother: false }]);
    expect(await textsOf(store, "s")).toEqual(["one", "two", "three"]);
  });

  it("adds nothing of another session with the same id", async () => {
    const store = inProcessStore();
    await keep(store, [message("s", "m0", ["one"])]);
    const other = [message("s", "m0", ["uno"]), message("s", "m1", ["due"])];
    expect(await keep(store, other)).toMatchObject([{ added: 0, different: ["m0", "m1"], isAnother: true }]);
    expect(await textsOf(store, "s")).toEqual(["one"]);
  });

  it("reports what it would do, and does nothing, in a dry run", async () => {
    const store = inProcessStore();
    expect(await keep(store, [message("s", "a", ["one"])], true)).toMatchObject([{ added: 1 }]);
    expect(await store.sessions.list(LOCAL_USER)).toEqual([]);
  });

  it("loses nothing in concurrent imports of the same file", async () => {
    const store = inProcessStore();
    const messages = Array.from({ length: 40 }, (_, i) => message("s", `m${i}`, [`text ${i}`]));
    const tallies = await Promise.all(Array.from({ length: 4 }, () => keep(store, messages)));
    expect(await textsOf(store, "s")).toEqual(messages.map((_, i) => `text ${i}`));
    expect(tallies.flat().reduce((sum, { added }) => sum + added, 0)).toBe(40);
  });

  it("writes in bounded batches while it reads", async () => {
    const store = inProcessStore();
    const writer = new ImportWriter(async () => store, options);
    for (let i = 0; i < 600; i += 1) await writer.add(message("s", `m${i}`, ["word"]));
    const { appended } = await store.sessions.head({ userId: LOCAL_USER, sessionId: "s" });
    expect(appended).toBe(500);
  });
});

/** The beginning of a transcript, with this many parts. */
function firstParts(messages: readonly Message[], parts: number): Message[] {
  const cut: Message[] = [];
  let left = parts;
  for (const one of messages) {
    if (left <= 0) break;
    cut.push({ ...one, parts: one.parts.slice(0, left) });
    left -= one.parts.length;
  }
  return cut;
}
