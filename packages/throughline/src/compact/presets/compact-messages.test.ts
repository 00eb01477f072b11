import * as v7 from "ai";
import { MockLanguageModelV4 } from "ai/test";
import * as v6 from "ai-v6";
import { MockLanguageModelV3 } from "ai-v6/test";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../test/cases.ts";
import type { ForeignModelMessage } from "../../message/convert/ai-sdk.ts";
import { PROVIDERS } from "../../message/legality-rules.ts";
import { callPart, resultPart, say, windowOf } from "../../message/message.arbitrary.ts";
import { validateWindow } from "../../message/validate-window.ts";
import { shouldCompact } from "../../overflow/check-overflow.ts";
import { steps, task } from "../../session/long-session.fixture.ts";
import { inProcessStore } from "../../store/in-process.ts";
import { createThroughline } from "../../throughline.ts";
import { CompactionService, compact, safeCompact } from "./compact-messages.ts";

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const answer = {
  content: [{ type: "text" as const, text: "Done." }],
  finishReason: { unified: "stop" as const, raw: "stop" },
  usage,
  warnings: [],
};
const config = { modelContextLimit: 4_000 };
const long = [{ role: "user" as const, content: task }, ...steps(40)];

/** The types are checked here too: input and output are AI SDK types. */
describe("a step of the AI SDK", () => {
  it("accepts the messages of a compaction and of a session, in version 7", async () => {
    const model = new MockLanguageModelV4({ doGenerate: answer });
    const messages: v7.ModelMessage[] = long;
    await v7.generateText({
      model,
      messages,
      prepareStep: async ({ messages: list }) => ({
        messages: shouldCompact(list, config) ? await safeCompact(list, "s", undefined) : list,
      }),
    });
    expect(model.doGenerateCalls[0]?.prompt.length).toBeLessThan(20);
    const session = (await createThroughline({ model })).session("s", { contextLimit: 24_000 });
    await session.append(messages);
    const turn = await session.prepare({ system: "Be brief.", budget: 3_000 });
    const { response } = await v7.generateText({ model, system: turn.system, messages: turn.messages });
    await session.append(response.messages);
    expect((await session.history()).at(-1)?.parts).toMatchObject([{ type: "text", text: "Done." }]);
  });

  it("accepts the messages of a compaction and of a session, in version 6", async () => {
    const model = new MockLanguageModelV3({ doGenerate: answer });
    const messages: v6.ModelMessage[] = long;
    await v6.generateText({
      model,
      messages,
      prepareStep: async ({ messages: list }) => ({
        messages: shouldCompact(list, config) ? await safeCompact(list, "s", undefined) : list,
      }),
    });
    expect(model.doGenerateCalls[0]?.prompt.length).toBeLessThan(20);
    const session = (await createThroughline({ model })).session("s", { contextLimit: 24_000 });
    await session.append(messages);
    const turn = await session.prepare({ budget: 3_000 });
    const { response } = await v6.generateText({ model, messages: turn.messages });
    await session.append(response.messages);
    expect(await session.history()).toHaveLength(82);
  });
});

const rounds = (count: number, words: number) =>
  Array.from({ length: count }, (_, i) => [
    say("user", `turn ${i}`),
    say("assistant", callPart(`c${i}`, { file_path: `/src/c${i}.ts` })),
    say("tool", resultPart(`c${i}`, "word ".repeat(words))),
    say("assistant", `done with ${i}`),
  ]).flat();

describe("compact", () => {
  const messages = windowOf(say("system", "s"), ...rounds(10, 20));

  it("replaces all but the last messages by a summary that every provider accepts", async () => {
    const { compactedMessages, compactionEvent } = await compact(messages, "s1", undefined);
    const byOptions = await compact(messages, { sessionId: "s1" });
    expect(byOptions).toMatchObject({ compactedMessages, compactionEvent });
    expect(await safeCompact(messages, { sessionId: "s1", store: inProcessStore() })).toEqual(compactedMessages);
    expect(compactionEvent.round).toBe(1);
    expect(compactionEvent.tokensAfter).toBeLessThan(compactionEvent.tokensBefore);
    expect(compactionEvent.summaryContent).toContain("c0.ts");
    // The task, m1, stays as it is.
    expect(compactionEvent.compactedMessageIds[0]).toBe("m2");
    for (const provider of PROVIDERS) expect(validateWindow(compactedMessages, provider)).toEqual([]);
  });

  it("continues counting rounds from the summary in the list", async () => {
    const first = await compact(messages, "s1", undefined);
    const more = [
      ...first.compactedMessages,
      ...Array.from({ length: 12 }, (_, i) => ({ role: i % 2 ? "assistant" : "user", content: `m${i}` })),
    ];
    const second = await compact(more, "s1", undefined);
    expect(second.compactionEvent.round).toBe(2);
  });

  it("keeps the user's requests verbatim through many rounds, also if the list was stored as JSON", async () => {
    const asked = "Rename it to `fetchUser`.\nNever touch src/legacy.ts.";
    let list: readonly ForeignModelMessage[] = [
      { role: "user", content: "Clean up the users." },
      { role: "assistant", content: "Fine." },
      { role: "user", content: asked },
    ];
    for (let round = 1; round <= 6; round += 1) {
      const more = Array.from({ length: 12 }, (_, i) => ({
        role: i % 2 ? "user" : "assistant",
        content: i % 2 ? `${round}.${i}` : "It is done. ".repeat(20),
      }));
      const { compactedMessages, compactionEvent } = await compact([...list, ...more], "s1", undefined);
      expect(compactionEvent.round).toBe(round);
      list = JSON.parse(JSON.stringify(compactedMessages)) as ForeignModelMessage[];
      expect(JSON.stringify(list)).toContain("Clean up the users.");
      expect(JSON.stringify(list)).toContain(JSON.stringify(asked).slice(1, -1));
    }
  });

  it("continues without the ledger if the carried one is broken", async () => {
    const first = await compact(messages, "s1", undefined);
    const broken = first.compactedMessages.map((message) =>
      message.role === "assistant"
        ? { ...message, providerOptions: { throughline: { ledger: { version: 1 } } } }
        : message,
    );
    const more = Array.from({ length: 12 }, (_, i) => ({ role: i % 2 ? "assistant" : "user", content: `m${i}` }));
    expect((await compact([...broken, ...more], "s1", undefined)).compactionEvent.round).toBe(2);
  });

  it("does nothing if the summary would be longer than what it replaces", async () => {
    const short = Array.from({ length: 15 }, (_, i) =>
      i % 2
        ? { role: "assistant", content: "Ok." }
        : { role: "user", content: `Never touch src/module-${i}.ts again.` },
    );
    const { compactedMessages, compactionEvent } = await compact(short, "s1", undefined);
    expect(compactionEvent.round).toBe(0);
    expect(compactedMessages).toEqual(short);
  });

  it("returns a smaller list, or the same", async () => {
    const roundOf = (asked: string[], answers: string[], words: number) =>
      fc.record({
        asked: fc.constantFrom(...asked),
        result: fc.option(fc.nat({ max: words }).map((count) => "word ".repeat(count))),
        answer: fc.constantFrom(...answers),
      });
    const shortRound = roundOf(["On.", "Never touch src/legacy.ts again."], ["Ok.", "Done."], 2);
    const anyRound = roundOf(["On.", "Rename `a` to `b`.\n".repeat(9)], ["Ok.", "It is done. ".repeat(20)], 60);
    const length = { minLength: 3, maxLength: 12 };
    const legal = fc.oneof(fc.array(shortRound, length), fc.array(anyRound, length)).map((list) =>
      list.flatMap(({ asked, result, answer }, i) => {
        const tool = [say("assistant", callPart(`c${i}`)), say("tool", resultPart(`c${i}`, result ?? ""))];
        return [say("user", asked), ...(result === null ? [] : tool), say("assistant", answer)];
      }),
    );
    // Without some of its messages: calls without results, and results without calls.
    const anyList = fc.oneof(
      legal,
      legal.chain((list) => fc.subarray(list, { minLength: 1 })),
    );
    await fc.assert(
      fc.asyncProperty(anyList, fc.integer({ min: 1, max: 10 }), async (list, recentMessagesToKeep) => {
        const { compactionEvent } = await compact(windowOf(...list), "s1", undefined, { recentMessagesToKeep });
        const { round, tokensBefore, tokensAfter } = compactionEvent;
        if (round === 0) expect(tokensAfter).toBe(tokensBefore);
        else expect(tokensAfter).toBeLessThan(tokensBefore);
      }),
      { numRuns: cases(100) },
    );
  });

  it("does nothing if there is nothing to compact", async () => {
    const short = windowOf(say("user", "hi"));
    expect((await compact(short, "s1", undefined)).compactionEvent.round).toBe(0);
  });

  it("returns the messages unchanged if it fails", async () => {
    const errors: unknown[] = [];
    const broken = [{ role: "wizard", content: "?" }];
    expect(await safeCompact(broken, "s1", undefined, { onError: (error) => errors.push(error) })).toBe(broken);
    expect(errors).toHaveLength(1);
  });
});

const turns = Array.from({ length: 8 }, (_, i) => [
  say("user", `Question ${i}`),
  say("assistant", callPart(`c${i}`, { file_path: `/src/f${i}.ts` })),
  say("tool", resultPart(`c${i}`, "word ".repeat(600))),
  say("assistant", `Answer ${i}`),
]).flat();

describe("CompactionService", () => {
  it("keeps the task, a summary and the last turns", async () => {
    const result = await new CompactionService().compact(windowOf(...turns), { minTurnsToKeep: 2 });
    expect(result.summaryMessage).toMatchObject({ role: "assistant", isSummary: true });
    const text = JSON.stringify(result.messages);
    for (const kept of ["Question 0", "/src/f3.ts", "Question 6", "Question 7", "Answer 7"])
      expect(text).toContain(kept);
    expect(result.messages.map(({ role }) => role).slice(0, 3)).toEqual(["user", "assistant", "user"]);
    expect(result.messagesCompacted).toBe(23);
    expect(result.tokensSaved).toBeGreaterThan(2_000);
  });

  it("returns a list unchanged if there is nothing to summarize", async () => {
    const messages = windowOf(say("user", "Hello"));
    expect(await new CompactionService().compact(messages)).toEqual({
      summaryMessage: undefined,
      messages,
      messagesCompacted: 0,
      tokensSaved: 0,
    });
  });
});
