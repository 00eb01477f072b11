import { describe, expect, it } from "vitest";
import { WorkingContext } from "../compact/working-context.ts";
import { SessionBusyError } from "../errors/session-errors.ts";
import { NotFoundError } from "../errors/store-errors.ts";
import type { ModelMessage } from "../message/convert/ai-sdk-types.ts";
import { inProcessStore } from "../store/in-process.ts";
import { createThroughline } from "../throughline.ts";
import { clock, session, steps, task } from "./long-session.fixture.ts";

describe("a session", () => {
  it("returns the appended messages while they fit", async () => {
    const messages: ModelMessage[] = [
      { role: "user", content: "Hello" },
      { role: "assistant", content: "Hi" },
      { role: "user", content: "?" },
    ];
    const turn = await (await session(messages)).prepare({ system: "Be brief." });
    expect(turn.messages).toEqual(messages);
    expect(turn).toMatchObject({ system: "Be brief.", wasPruned: false, wasCompacted: false });
  });

  it("keeps the task and the tail verbatim, with a summary between them", async () => {
    const turn = await (await session()).prepare({ budget: 2_500 });
    expect(turn.wasCompacted).toBe(true);
    expect(turn.tokens.final).toBeLessThanOrEqual(2_500);
    expect(turn.messages[0]).toEqual({ role: "user", content: task });
    expect(JSON.stringify(turn.messages[1])).toContain("## Session Summary (Compaction Round 1)");
    expect(turn.messages.at(-1)).toEqual(steps(40).at(-1));
  });

  it("accounts for every token in its receipt", async () => {
    const { receipt, tokens } = await (await session()).prepare({ system: "You code.", budget: 2_500 });
    expect(receipt.items.reduce((sum, item) => sum + item.tokens, 0)).toBe(tokens.final);
    expect(receipt.items.map((item) => item.rule)).toEqual(
      expect.arrayContaining(["system", "task", "summary", "tail"]),
    );
  });

  it("masks old outputs first, and recalls them by their handles", async () => {
    const open = await session([{ role: "user", content: task }, ...steps(40, 2_000)]);
    const turn = await open.prepare({ budget: 40_000 });
    expect(turn).toMatchObject({ wasPruned: true, wasCompacted: false });
    const handle = /Recall it as (part:[^\]]+)\]/.exec(JSON.stringify(turn.messages))?.[1];
    const recalled = await open.recall(handle ?? "none");
    expect(JSON.stringify(recalled.messages)).toContain("export const value");
  });

  it("compacts at once if pruning would not be enough for long, to break the prompt cache only once", async () => {
    const turn = await (await session()).prepare({ budget: 9_000 });
    expect(turn).toMatchObject({ wasPruned: true, wasCompacted: true });
  });

  it("undoes a compaction to the identical window", async () => {
    const open = await session();
    const before = await open.prepare({ budget: 100_000 });
    const event = await open.compact({ keepTokens: 1_000 });
    expect((await open.prepare({ budget: 100_000 })).messages.length).toBeLessThan(before.messages.length);
    await open.restore(event?.id ?? "");
    expect((await open.prepare({ budget: 100_000 })).messages).toEqual(before.messages);
  });

  it("undoes the pruning of the same turn too, for as long as there are no new messages", async () => {
    const open = await session();
    const before = await open.prepare({ budget: 100_000 });
    const turn = await open.prepare({ budget: 9_000 });
    expect(turn).toMatchObject({ wasPruned: true, wasCompacted: true });
    const [event] = await open.compactions();
    await open.restore(event?.id ?? "");
    const trimmed = await open.prepare({ budget: 9_000 });
    expect(trimmed).toMatchObject({ wasPruned: false, wasCompacted: false });
    expect(trimmed.receipt.handles).not.toEqual([]);
    expect((await open.prepare({ budget: 100_000 })).messages).toEqual(before.messages);
    await open.append([{ role: "user", content: "Go on." }]);
    expect(await open.prepare({ budget: 9_000 })).toMatchObject({ wasPruned: true, wasCompacted: true });
  });

  it("keeps masks of earlier turns when it undoes a compaction", async () => {
    const open = await session([{ role: "user", content: task }, ...steps(40, 2_000)]);
    expect(await open.prepare({ budget: 40_000 })).toMatchObject({ wasPruned: true, wasCompacted: false });
    const before = await open.prepare({ budget: 900_000 });
    await open.append([{ role: "user", content: "More" }, ...steps(80, 2_000).slice(80)]);
    const longer = await open.prepare({ budget: 900_000 });
    expect(await open.prepare({ budget: 9_000 })).toMatchObject({ wasCompacted: true });
    const [event] = await open.compactions();
    await open.restore(event?.id ?? "");
    const after = await open.prepare({ budget: 900_000 });
    expect(after.messages).toEqual(longer.messages);
    expect(after.messages.slice(0, before.messages.length)).toEqual(before.messages);
  });

  it("keeps newer masks when it undoes a compaction", async () => {
    const open = await session();
    const event = await open.compact({ keepTokens: 3_000 });
    const asked: ModelMessage[] = [
      { role: "user", content: "And?" },
      { role: "assistant", content: "Yes." },
    ];
    await open.append([
      { role: "user", content: "More" },
      ...steps(150, 2_000).slice(80),
      ...asked,
      ...asked,
      ...asked,
    ]);
    await open.prune();
    const masksIn = async () =>
      JSON.stringify((await open.prepare({ budget: 900_000 })).messages).split("masked:").length;
    const before = await masksIn();
    await open.restore(event?.id ?? "");
    expect(before).toBeGreaterThan(5);
    expect(await masksIn()).toBe(before);
  });

  it("undoes nested compactions, and keeps newer messages", async () => {
    const open = await session();
    const before = await open.prepare({ budget: 100_000 });
    const first = await open.compact({ keepTokens: 2_000 });
    await open.append([{ role: "user", content: "And now?" }, ...steps(3)]);
    await open.compact({ keepTokens: 500 });
    await open.restore(first?.id ?? "");
    const after = await open.prepare({ budget: 100_000 });
    expect(after.messages.slice(0, before.messages.length)).toEqual(before.messages);
    expect(after.messages.length).toBe(before.messages.length + 7);
  });

  it("undoes all compactions one after the other, whichever of them include others", async () => {
    const open = await session();
    await open.compact({ keepTokens: 2_000 });
    await open.append([{ role: "user", content: "And now?" }, ...steps(3)]);
    await open.compact({ keepTokens: 500 });
    const undone: boolean[] = [];
    for (const { id } of await open.compactions()) undone.push(await open.restore(id));
    expect(undone).toEqual([true, false]);
    expect((await open.compactions()).map(({ isUndone }) => isUndone)).toEqual([true, true]);
    expect((await open.prepare({ budget: 100_000 })).messages).toHaveLength(88);
  });

  it("says why it does not compact after an undo, and has a handle for each message and part that it leaves out", async () => {
    const large = "The log has one line for each request of the night. ".repeat(400);
    const open = await session([
      { role: "user", content: task },
      ...steps(20),
      { role: "user", content: large },
      ...steps(4),
    ]);
    const event = await open.compact({ keepTokens: 500 });
    await open.restore(event?.id ?? "");
    const turn = await open.prepare({ budget: 3_000 });
    expect(turn).toMatchObject({ wasCompacted: false });
    expect(turn.receipt.notes).toEqual([
      "Not compacted: compaction 1 was undone, and no messages were appended since.",
    ]);
    const shortened = turn.receipt.items.flatMap((item) => item.shortened ?? []);
    expect(shortened.length).toBeGreaterThan(0);
    expect(turn.receipt.handles).toEqual(expect.arrayContaining(shortened.map((id) => `part:${id}`)));
    const expanded = await Promise.all(turn.receipt.handles.map((handle) => open.expand(handle)));
    expect(JSON.stringify(expanded)).toContain(large);
    await open.append([{ role: "user", content: "Go on." }]);
    const next = await open.prepare({ budget: 3_000 });
    expect(next).toMatchObject({ wasCompacted: true, receipt: { notes: [] } });
  });

  it("lists each compaction with whether it was undone", async () => {
    const open = await session();
    await open.compact();
    await open.append(steps(20));
    await open.compact();
    const [first, second] = await open.compactions();
    expect([first?.isUndone, second?.isUndone]).toEqual([false, false]);
    await open.restore(second?.id ?? "");
    expect((await open.compactions()).map(({ isUndone }) => isUndone)).toEqual([false, true]);
    await open.restore(first?.id ?? "");
    expect((await open.compactions()).map(({ isUndone }) => isUndone)).toEqual([true, true]);
  });

  it("adds the reported usage to the receipt, cached tokens included", async () => {
    const open = await session([{ role: "user", content: "Hello" }]);
    await open.prepare();
    await open.reportUsage({ inputTokens: 120, cacheReadTokens: 100, cacheWriteTokens: 20 });
    await open.prepare();
    const [first, second] = await open.receipts();
    expect(first?.usage).toEqual({ inputTokens: 120, cacheReadTokens: 100, cacheWriteTokens: 20 });
    expect(second?.usage).toBeUndefined();
  });

  it("takes memories from a given function, with the reason for each in the receipt", async () => {
    const open = await session([{ role: "user", content: "Where do I live?" }]);
    const asked: unknown[] = [];
    const { system, receipt } = await open.prepare({
      system: "Be brief.",
      memory: async ({ question, windowTokens, contextLimit }) => {
        asked.push({ question, isCounted: windowTokens > 0, contextLimit });
        return { text: "- Lives in Oslo", sources: ["f1"], reasons: { f1: "you asked about yourself" } };
      },
    });
    expect(asked).toEqual([{ question: "Where do I live?", isCounted: true, contextLimit: 24_000 }]);
    expect(system).toBe("Be brief.\n\n- Lives in Oslo");
    const item = receipt.items.find(({ rule }) => rule === "memory");
    expect(item).toMatchObject({ sources: ["f1"], reasons: { f1: "you asked about yourself" } });
  });

  it("bounds the summary to targetTokens, ledger included, and keeps no tail for keepTokens 0", async () => {
    const open = await session();
    const event = await open.compact({ targetTokens: 300, keepTokens: 0 });
    const turn = await open.prepare();
    expect(event?.round).toBe(1);
    expect(turn.messages).toHaveLength(3);
    expect(turn.tokens.final).toBeLessThan(450);
  });

  it("keeps its whole history", async () => {
    const open = await session();
    await open.prepare({ budget: 3_000 });
    await open.compact({ keepTokens: 0 });
    expect(await open.history()).toHaveLength(81);
  });

  it("does not compact twice without new messages", async () => {
    const open = await session();
    await open.prepare({ budget: 2_500 });
    await open.prepare({ budget: 1_500 });
    await open.prepare({ budget: 1_500 });
    expect(await open.compactions()).toHaveLength(1);
  });

  it("previews a compaction without running it, with nothing critical missing", async () => {
    const open = await session();
    const before = await open.prepare({ budget: 100_000 });
    const preview = await open.preview({ keepTokens: 1_000 });
    expect(preview?.tokensAfter).toBeLessThan(preview?.tokensBefore ?? 0);
    expect(preview?.critical).toEqual([]);
    expect((await open.prepare({ budget: 100_000 })).messages).toEqual(before.messages);
  });

  it("sends events when a compaction starts, and when the turn is stored", async () => {
    const open = await session();
    const told: string[] = [];
    open.on((event) => told.push(event.type));
    await open.prepare({ budget: 2_500 });
    expect(told).toEqual(["compaction:start", "prune:complete", "compaction:complete"]);
  });

  it("corrects its counts by the reported usage", async () => {
    const open = await session();
    const first = await open.prepare({ budget: 100_000 });
    await open.reportUsage({ inputTokens: first.tokens.final * 1.5 });
    const second = await open.prepare({ budget: 100_000 });
    expect(second.tokens.final).toBeCloseTo(first.tokens.final * 1.5, -2);
  });

  it("recalls all messages behind a compaction, through earlier ones", async () => {
    const open = await session();
    await open.compact({ keepTokens: 2_000 });
    const second = await open.compact({ keepTokens: 300 });
    const { messages } = await open.recall(second?.id ?? "");
    expect(messages.map((message) => message.id)).toContain("s/m1");
    expect(messages.length).toBeGreaterThan(second?.compactedMessageIds.length ?? 0);
  });

  it("lists near misses in its receipt", async () => {
    const { receipt } = await (await session()).prepare({ budget: 2_500 });
    expect(receipt.nearMisses.length).toBeGreaterThan(0);
    expect(receipt.items.find((item) => item.rule === "summary")?.sources?.length).toBeGreaterThan(20);
    expect(receipt.nearMisses.every((miss) => miss.reason === "compacted" && miss.tokens > 0)).toBe(true);
  });

  it("fits into bytes as well as tokens", async () => {
    const data = "A".repeat(200_000);
    const images = Array.from({ length: 4 }, (): ModelMessage[] => [
      {
        role: "user",
        content: [
          { type: "text", text: "look" },
          { type: "image", image: data, mediaType: "image/png" },
        ],
      },
      { role: "assistant", content: "I see" },
    ]).flat();
    const turn = await (await session([{ role: "user", content: task }, ...images])).prepare({ maxBytes: 300_000 });
    expect(JSON.stringify(turn.messages).length).toBeLessThanOrEqual(300_000);
  });

  it("prunes on request at any fill level", async () => {
    const open = await session([{ role: "user", content: task }, ...steps(120, 2_000)]);
    expect(await open.prune()).toBe(true);
    expect((await open.history()).some((message) => message.parts.some((part) => "compactedAt" in part))).toBe(false);
  });

  it("drops the tools that the window no longer names", async () => {
    const workingContext = new WorkingContext();
    workingContext.discover("Read", "Deploy");
    const throughline = await createThroughline({ clock });
    const open = throughline.session("s", { workingContext });
    await open.append([{ role: "user", content: task }, ...steps(40)]);
    await open.compact({ keepTokens: 1_000 });
    expect(workingContext.discoveredTools).toEqual(["Read"]);
  });

  it("is busy while another process compacts, and continues when its lease has expired", async () => {
    let now = 1_000;
    const clock = { now: () => now };
    const store = inProcessStore(clock);
    const throughline = await createThroughline({ store, clock, userId: "u" });
    const open = throughline.session("s", { lockWait: 0 });
    await open.append([{ role: "user", content: task }, ...steps(40)]);
    await store.sessions.lease({ userId: "u", sessionId: "s" }, "another", 4_000);
    expect((await open.status()).isCompacting).toBe(true);
    await expect(open.compact({ keepTokens: 500 })).rejects.toThrow(SessionBusyError);
    now = 6_000;
    expect(await open.compact({ keepTokens: 500 })).toMatchObject({ round: 1 });
  });

  it("continues where another object over the same store left off", async () => {
    const store = inProcessStore();
    const first = (await createThroughline({ store, clock })).session("s");
    await first.append([{ role: "user", content: task }, ...steps(40)]);
    const event = await first.compact({ keepTokens: 1_000 });
    const before = await first.prepare();
    const second = (await createThroughline({ store, clock })).session("s");
    expect((await second.prepare()).messages).toEqual(before.messages);
    await second.restore(event?.id ?? "");
    expect((await second.prepare({ budget: 100_000 })).messages).toHaveLength(81);
  });

  it("undoes a compaction by the short name that its summary has", async () => {
    const open = await session();
    await open.compact({ keepTokens: 1_000 });
    expect(await open.restore("compaction-1")).toBe(true);
    expect(await open.restore("s/compaction-1")).toBe(false);
    await expect(open.restore("compaction-9")).rejects.toThrow(
      'Compaction id "compaction-9" was not found in session s. `session.compactions()` lists ids.',
    );
  });

  it("refuses unknown ids", async () => {
    const open = await session();
    await expect(open.restore("nothing")).rejects.toThrow(NotFoundError);
    await expect(open.recall("part:nothing")).rejects.toThrow(NotFoundError);
  });
});
