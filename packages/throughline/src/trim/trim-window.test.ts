import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../test/cases.ts";
import { IrreducibleContextError } from "../errors/session-errors.ts";
import { PROVIDERS } from "../message/legality-rules.ts";
import { callPart, resultPart, say, windowOf } from "../message/message.arbitrary.ts";
import type { Message } from "../message/message.ts";
import type { Part, PartDraft, ProviderOptions } from "../message/part.ts";
import { repairWindow } from "../message/repair/repair-window.ts";
import { validateWindow } from "../message/validate-window.ts";
import { countMessageTokens, countPartTokens, countTotalTokens } from "../tokens/count-message.ts";
import { countTokens } from "../tokens/count-tokens.ts";
import { isSigned } from "./cut-large-parts.ts";
import { thinkingSession } from "./trim.arbitrary.ts";
import { trimWindow } from "./trim-window.ts";

const COUNTS = {
  count: countTokens,
  tokensOf: (part: Part) => countPartTokens(part),
  messageTokens: (message: Message) => countMessageTokens(message),
};
const trim = (window: readonly Message[], budget: number) => trimWindow(window, { budget, ...COUNTS });
const words = (count: number) => "word ".repeat(count);
const signed: ProviderOptions = { anthropic: { signature: "sig" } };
const thought = (count: number, providerOptions?: ProviderOptions): PartDraft => ({
  type: "reasoning",
  text: words(count),
  ...(providerOptions ? { providerOptions } : {}),
});
/** A call after a very long reasoning part, and its result. */
const exchange = (id: string, options?: ProviderOptions) => [
  say("assistant", thought(900, options), callPart(id)),
  say("tool", resultPart(id, words(10))),
];
const kinds = (messages: readonly Message[]) =>
  messages.map(({ role, parts }) => [role, ...parts.map(({ type }) => type)]);

describe("trimWindow", () => {
  it("drops the middle first, and keeps the first exchange and whole pairs at the end", () => {
    const rounds = Array.from({ length: 10 }, (_, i) => [
      say("assistant", callPart(`c${i}`)),
      say("tool", resultPart(`c${i}`, words(100))),
    ]).flat();
    const window = windowOf(say("user", "the task"), ...rounds);
    const { messages, dropped, cut } = trim(window, 400);
    expect(messages[0]?.parts[0]).toBe(window[0]?.parts[0]);
    expect(messages.at(-1)).toBe(window.at(-1));
    expect(messages[1]?.role).toBe("assistant");
    expect(dropped.length).toBe(window.length - messages.length);
    expect(cut).toEqual([]);
    expect(countTotalTokens(messages)).toBeLessThanOrEqual(400);
  });

  it("truncates huge parts to head and tail, with a handle", () => {
    const window = windowOf(
      say("user", "the task"),
      say("assistant", callPart("c")),
      say("tool", resultPart("c", `start ${"x y ".repeat(5_000)} end`)),
    );
    const { messages, cut } = trim(window, 500);
    expect(countTotalTokens(messages)).toBeLessThanOrEqual(500);
    expect(cut).toEqual(["m2.0"]);
    expect(JSON.stringify(messages[2])).toMatch(/start .*recall the whole as part:m2\.0.* end/);
  });

  it("truncates a huge task before the summary, which covers much more", () => {
    const summary = `## Session Summary ${"name ".repeat(900)}`;
    const marker = { summary, compactedAt: 1, messagesCompacted: 40, originalTokens: 9_000 };
    const window = windowOf(
      say("user", "task ".repeat(4_000)),
      say("assistant", { type: "compaction-marker", ...marker }),
      say("user", "Go on."),
    );
    const { messages, cut } = trim(window, 2_200);
    expect(cut).toEqual(["m0.0"]);
    expect(JSON.stringify(messages[1])).toContain(summary);
  });

  it("truncates several outputs before the summary", () => {
    const summary = `## Session Summary ${"name ".repeat(1_500)}`;
    const marker = { summary, compactedAt: 1, messagesCompacted: 40, originalTokens: 9_000 };
    const ids = ["a", "b", "c", "d", "e"];
    const window = windowOf(
      say("user", "the task"),
      say("assistant", { type: "compaction-marker", ...marker }),
      say("user", "go on"),
      say("assistant", ...ids.map((id) => callPart(id))),
      say("tool", ...ids.map((id) => resultPart(id, words(1_000)))),
    );
    const { messages, dropped } = trim(window, 4_000);
    expect(JSON.stringify(messages[1])).toContain(summary);
    expect(dropped).toEqual([]);
  });

  it("names the parts that cannot shrink", () => {
    const window = windowOf(
      say("user", "a"),
      say("assistant", { type: "opaque", format: "ai-sdk", value: { kind: "x".repeat(9_000) } }),
    );
    expect(() => trim(window, 100)).toThrow(IrreducibleContextError);
    expect(() => trim(window, 100)).toThrow(/into a budget of 100\. Largest parts: opaque of assistant message m1/);
  });

  it("reports the total of the parts that it does not name", () => {
    const parts = [9, 8, 7, 6, 5].map((tokens) => ({ what: `part ${tokens}`, tokens }));
    const { message } = new IrreducibleContextError(20, 59, parts);
    expect(message).toContain("Largest parts: part 9 (9), part 8 (8), part 7 (7), everything else together (35).");
    expect(new IrreducibleContextError(20, 59, [{ what: "the system prompt", tokens: 59 }]).message).toContain(
      "Largest parts: the system prompt (59). ",
    );
  });

  it("does not edit a call with an approval", () => {
    const bound = say("assistant", callPart("c", { text: words(500) }), {
      type: "tool-approval-request",
      approvalId: "p",
      toolCallId: "c",
    });
    expect(() => trim(windowOf(say("user", "a"), bound), 200)).toThrow(IrreducibleContextError);
  });

  it("does not send a truncated text as the item that the provider stores", () => {
    const item: PartDraft = { type: "text", text: words(2_000), providerOptions: { openai: { itemId: "msg_1" } } };
    const { messages, cut } = trim(windowOf(say("user", "a"), say("assistant", item), say("user", "b")), 1_000);
    expect(cut).toEqual(["m1.0"]);
    expect(messages[1]?.parts[0]).not.toHaveProperty("providerOptions");
  });
});

describe("trimWindow and reasoning", () => {
  it("removes unsigned reasoning on its own", () => {
    const { messages, cut } = trim(windowOf(say("user", "a"), ...exchange("c")), 200);
    expect(kinds(messages).slice(1)).toEqual([
      ["assistant", "tool-call"],
      ["tool", "tool-result"],
    ]);
    expect(cut).toEqual(["m1.0"]);
  });

  it.each<[string, ProviderOptions]>([
    ["a signature", signed],
    ["redacted data", { bedrock: { redactedData: "xx" } }],
    ["a thought signature", { google: { thoughtSignature: "sig" } }],
    ["an item of the provider", { openai: { itemId: "rs_1" } }],
  ])("keeps a call with its reasoning if that has %s: both are dropped together, with the result", (_, options) => {
    const window = windowOf(say("user", "a"), ...exchange("c", options));
    const { messages, dropped, cut } = trim(window, 200);
    expect(kinds(messages)).toEqual([["user", "text", "text"]]);
    expect(dropped).toEqual(window.slice(1));
    expect(cut).toEqual([]);
  });

  it("drops only the exchange that cannot shrink, and keeps those before it", () => {
    const small = [say("assistant", callPart("c0")), say("tool", resultPart("c0"))];
    const window = windowOf(say("user", "a"), ...small, ...exchange("c1", signed));
    const { dropped } = trim(window, 200);
    expect(dropped).toEqual(window.slice(3));
  });

  it("does not drop a call that waits for its result", () => {
    const [waiting] = exchange("c", signed);
    if (waiting === undefined) throw new Error("no call");
    expect(() => trim(windowOf(say("user", "a"), waiting), 200)).toThrow(/reasoning of assistant message m1/);
  });

  it("removes signed reasoning beside a text only, which every provider accepts", () => {
    const { messages } = trim(windowOf(say("user", "a"), say("assistant", thought(900, signed), "done")), 200);
    expect(kinds(messages)).toEqual([
      ["user", "text"],
      ["assistant", "text"],
    ]);
  });

  it("never keeps a call without its signed reasoning", () => {
    fc.assert(
      fc.property(thinkingSession, fc.integer({ min: 60, max: 6_000 }), (window, budget) => {
        const { messages } = attempt(window, budget) ?? { messages: [] };
        const ids = new Set(messages.flatMap(({ parts }) => parts.map(({ id }) => id)));
        for (const { parts } of window) {
          if (!parts.some((part) => part.type === "tool-call" && ids.has(part.id))) continue;
          const bound = parts.filter((part) => part.type === "reasoning" && isSigned(part));
          expect(bound.every((part) => ids.has(part.id))).toBe(true);
        }
      }),
      { numRuns: cases(25) },
    );
  });
});

describe("the note for dropped messages", () => {
  const talk = (count: number) =>
    Array.from({ length: count }, (_, i) => say(i % 2 === 0 ? "user" : "assistant", `${i} ${words(40)}`));
  const texts = (message: Message | undefined) =>
    message?.parts.map((part) => (part.type === "text" ? part.text : part.type));

  it("is part of the user message before the gap, and names the messages", () => {
    const { messages, dropped, handles } = trim(windowOf(...talk(11)), 270);
    expect(dropped.map(({ id }) => id)).toEqual(["m1", "m2", "m3", "m4", "m5", "m6"]);
    expect(handles).toEqual(["messages:m1..m6"]);
    expect(texts(messages[0])?.[1]).toBe("[6 messages left out here; recall them as messages:m1..m6]");
    expect(messages[0]?.parts[1]).toMatchObject({ synthetic: true });
  });

  it("fits into every budget: otherwise one more message is dropped", () => {
    const window = windowOf(...talk(11));
    for (let budget = 150; budget < countTotalTokens(window); budget += 1) {
      const { messages, cut } = trim(window, budget);
      expect(countTotalTokens(messages)).toBeLessThanOrEqual(budget);
      expect([texts(messages[0])?.length, cut]).toEqual([2, []]);
    }
  });

  it("is part of the user message after the gap if a summary precedes it", () => {
    const window = windowOf(...talk(11)).map((message, i) => (i === 1 ? { ...message, isSummary: true } : message));
    const { messages } = trim(window, 300);
    expect(texts(messages[1])).toHaveLength(1);
    expect(texts(messages[2])?.[0]).toMatch(/^\[\d+ messages left out here; recall them as messages:m2\.\./);
  });

  it("is a new user message if neither side of the gap is the user's", () => {
    const steps = Array.from({ length: 8 }, (_, i) => [
      say("assistant", callPart(`c${i}`)),
      say("tool", resultPart(`c${i}`, words(60))),
    ]).flat();
    const [task, summary, ...rest] = windowOf(say("user", "a"), say("assistant", "## Session Summary"), ...steps);
    if (task === undefined || summary === undefined) throw new Error("no messages");
    const { messages } = trim([task, { ...summary, isSummary: true }, ...rest], 300);
    expect(messages.slice(0, 4).map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
    expect(texts(messages[2])).toEqual([expect.stringMatching(/left out here/)]);
    for (const provider of PROVIDERS) expect(validateWindow(messages, provider)).toEqual([]);
  });

  it("names the appended messages if the caller knows them", () => {
    const window = windowOf(...talk(11));
    const sourcesOf = (list: readonly Message[]) => list.flatMap(({ id }) => (id === "m1" ? [] : [`${id}a`, `${id}b`]));
    const { handles, messages } = trimWindow(window, { budget: 270, ...COUNTS, sourcesOf });
    expect(handles).toEqual(["messages:m2a..m6b"]);
    expect(JSON.stringify(messages[0])).toContain("[10 messages left out here");
  });

  it("is not added for synthetic messages", () => {
    const put = say("user", { type: "text", text: words(300), synthetic: true });
    const { handles } = trim(windowOf(say("user", "a"), say("assistant", "b"), put, say("user", "c")), 100);
    expect(handles.join()).not.toContain("m2");
  });

  it("is dropped if it is too large, and the result still has the handle", () => {
    const [task, ...rest] = windowOf(...talk(11)).map((message, i) =>
      i === 1 ? { ...message, id: "x".repeat(4_000) } : message,
    );
    if (task === undefined) throw new Error("no message");
    const { messages, handles } = trim([task, ...rest], 150);
    expect(countTotalTokens(messages)).toBeLessThanOrEqual(150);
    expect(messages[0]).toEqual(task);
    expect(handles).toHaveLength(1);
  });
});

describe("trimWindow on any session", () => {
  it("is within the budget, legal everywhere, deterministic, and names all dropped messages", () => {
    fc.assert(
      fc.property(thinkingSession, fc.integer({ min: 60, max: 6_000 }), (window, budget) => {
        const result = attempt(window, budget);
        if (result === undefined) return;
        const { messages, dropped, handles } = result;
        expect(countTotalTokens(messages)).toBeLessThanOrEqual(budget);
        const { messages: legal } = repairWindow(messages);
        expect(countTotalTokens(legal)).toBeLessThanOrEqual(budget);
        for (const provider of PROVIDERS) expect(validateWindow(legal, provider)).toEqual([]);
        expect(handles.flatMap((handle) => between(window, handle))).toEqual(dropped.map(({ id }) => id));
        expect(trim(window, budget)).toEqual(result);
      }),
      { numRuns: cases(25) },
    );
  });
});

function attempt(window: readonly Message[], budget: number) {
  try {
    return trim(window, budget);
  } catch (error) {
    if (!(error instanceof IrreducibleContextError)) throw error;
    return undefined;
  }
}

/** Ids of the messages that a handle refers to. */
function between(window: readonly Message[], handle: string): string[] {
  const [first, last] = handle.slice("messages:".length).split("..");
  const ids = window.map(({ id }) => id);
  return ids.slice(ids.indexOf(first ?? ""), ids.indexOf(last ?? "") + 1);
}
