import { describe, expect, it } from "vitest";
import { DAY } from "../../internal/time.ts";
import type { Memory } from "../../ports/memory.ts";
import { openMemory, START } from "../open-memory.fixture.ts";
import { draftMemory } from "../remember/draft-memory.ts";
import { type AuditOptions, type AuditProgress, auditMemories } from "./audit-memories.ts";

const fact = (id: string, text: string, fields: Partial<Memory> = {}): Memory => ({
  ...draftMemory({ text, keepSecrets: true }, { userId: "ada", projectId: undefined }, START),
  id,
  ...fields,
});

const found = async (memories: readonly Memory[], options: Partial<AuditOptions> = {}) =>
  (await auditMemories(memories, { now: START, ...options })).findings.map(({ kind, ids }) => [kind, ...ids]);

// Split, so that no scanner takes this for a real key.
const KEY = ["ghp", "k7Jd93mQpZx81LsVb20RtYwNc64HgFaEu5Xo"].join("_");

describe("an audit", () => {
  it("finds nothing in memories without problems", async () => {
    const memories = [fact("a", "User lives in Lisbon"), fact("b", "The office has a blue door")];
    expect(await auditMemories(memories, { now: START })).toEqual({ checked: 2, findings: [] });
  });

  it("finds secrets in texts and quotes", async () => {
    const quoted = fact("b", "The deploy key is known", { source: { quote: `the key is ${KEY}` } });
    expect(await found([fact("a", `The token of the bot is ${KEY}`), quoted])).toEqual([
      ["secret", "a"],
      ["secret", "b"],
    ]);
  });

  it("finds duplicates as one group, with the most detailed memory first", async () => {
    const memories = ["a", "b", "c"].map((id) => fact(id, "User prefers tabs over spaces"));
    expect(await found([...memories, fact("d", "User prefers spaces over tabs in Python files")])).toContainEqual([
      "duplicate",
      "a",
      "b",
      "c",
    ]);
  });

  it("finds contradictions, known and new", async () => {
    const memories = [fact("a", "The office opens at 8."), fact("b", "The office does not open at 8.")];
    expect(await found(memories)).toEqual([["contradiction", "a", "b"]]);
    const known = { id: "con", memoryA: "b", memoryB: "a", detectedAt: 1, reason: "Because.", status: "open" } as const;
    expect(await found(memories, { contradictions: [known] })).toEqual([["contradiction", "b", "a"]]);
    const resolved = { ...known, status: "resolved" } as const;
    expect(await found(memories, { contradictions: [resolved] })).toEqual([]);
  });

  it("finds recalled text that was stored again", async () => {
    const memories = [
      fact("a", "The release train leaves every second Tuesday"),
      fact("b", "As noted before: the plan is set. The release train leaves every second Tuesday. Anything else?", {
        createdAt: START + 1,
      }),
      fact("c", "<memories> User likes tea </memories>"),
      fact("d", "User plays chess", { source: { sessionId: "s", messageId: "m" } }),
    ];
    const options = { isFromInsertedText: ({ id }: Memory) => id === "d" };
    expect(await found(memories, options)).toEqual([
      ["recalled", "b", "a"],
      ["recalled", "c"],
      ["recalled", "d"],
    ]);
  });

  it("does not take two facts of one message for recalled text", async () => {
    const source = { sessionId: "s", messageId: "m" };
    const memories = [
      fact("a", "The release train leaves every second Tuesday", { source }),
      fact("b", "Mind the date. The release train leaves every second Tuesday.", { source, createdAt: START + 1 }),
    ];
    expect(await found(memories)).toEqual([]);
  });

  it("finds memories that were never used, if the store counts uses", async () => {
    const usage = { retrieved: 1, cited: 0, ignored: 0 };
    const memories = [
      fact("a", "User lives in Lisbon"),
      fact("b", "The office has a blue door", { usage }),
      fact("c", "Coffee is in the kitchen", { pinned: true }),
    ];
    expect(await found(memories, { now: START + 91 * DAY })).toEqual([["unused", "a"]]);
    expect(await found(memories, { now: START + 89 * DAY })).toEqual([]);
    expect(await found(memories, { now: START + 91 * DAY, hasUsage: false })).toEqual([]);
  });

  it("ignores ended and archived memories", async () => {
    const memories = [
      fact("a", `The token of the bot is ${KEY}`, { archivedAt: START }),
      fact("b", `The token of the bot is ${KEY}`, { validTo: START }),
    ];
    expect(await auditMemories(memories, { now: START })).toEqual({ checked: 0, findings: [] });
  });

  it("reports complete kinds while it runs", async () => {
    const memories = [fact("a", `The token of the bot is ${KEY}`), fact("b", "Use tabs"), fact("c", "Use tabs")];
    const seen: AuditProgress[] = [];
    const { findings } = await auditMemories(memories, { now: START, onProgress: (progress) => seen.push(progress) });
    expect(seen[0]).toMatchObject({ kinds: ["secret", "unused"], findings: [{ kind: "secret", ids: ["a"] }] });
    expect(seen.map(({ done }) => done)).toEqual(seen.map(({ done }) => done).toSorted((a, b) => a - b));
    expect(seen.every(({ done }) => done > 0 && done < 1)).toBe(true);
    expect(findings.map(({ kind }) => kind)).toEqual(["secret", "duplicate"]);
  });

  it("answers at once with the findings so far, and after a change with those of the last audit", async () => {
    const { memory } = await openMemory();
    const { memory: key } = await memory.remember({ text: `The token of the bot is ${KEY}`, keepSecrets: true });
    const browser = await memory.browser();
    expect(await browser.auditState()).toMatchObject({ findings: [], progress: 0 });
    await browser.audit();
    expect(await browser.auditState()).toMatchObject({ checked: 1, findings: [{ ids: [key.id] }], progress: 1 });
    await memory.remember({ text: "User lives in Lisbon" });
    const running = await browser.auditState();
    expect(running).toMatchObject({ findings: [{ ids: [key.id] }] });
    expect(running.progress).toBeLessThan(1);
    await browser.audit();
    await memory.forget(key.id);
    expect(await browser.auditState()).toMatchObject({ findings: [] });
    expect(await browser.audit()).toMatchObject({ checked: 1, findings: [] });
  });

  it("covers the stored memories of a user, and follows changes", async () => {
    const { memory } = await openMemory();
    const { memory: key } = await memory.remember({ text: `The token of the bot is ${KEY}`, keepSecrets: true });
    await memory.remember({ text: "User lives in Lisbon" });
    const browser = await memory.browser();
    expect(await browser.audit()).toMatchObject({ checked: 2, findings: [{ kind: "secret", ids: [key.id] }] });
    expect(await browser.audit()).toBe(await browser.audit());
    await memory.forget(key.id);
    expect(await browser.audit()).toMatchObject({ checked: 1, findings: [] });
  });
});
