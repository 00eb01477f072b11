import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { completeMessage, type Message, type MessageDraft, type TokenUsage } from "../message/message.ts";
import type { Part, ToolResultPart } from "../message/part.ts";
import { createTokenCounter } from "../tokens/token-counter.ts";
import type { TranscriptCompaction } from "../transcript/transcript.ts";
import { type SessionInspection, SessionInspector } from "./session-inspector.ts";
import { reportSession } from "./session-report.ts";
import { BANDS, windowOfCall } from "./window-tracker.ts";

/** One token per character. */
const count = (part: Part): number => {
  if (part.type === "text") return part.text.length;
  if (part.type === "tool-call") return JSON.stringify(part.input).length;
  return part.type === "tool-result" && part.output.type === "text" ? part.output.value.length : 0;
};

const used = (input: number, read = 0, write = 0): TokenUsage => ({ input, output: 1, cache: { read, write } });
const said = (text: string): MessageDraft => ({ role: "user", parts: [{ type: "text", text }] });
const replied = (text: string, usage?: TokenUsage): MessageDraft => ({
  role: "assistant",
  parts: [{ type: "text", text }],
  ...(usage === undefined ? {} : { usage }),
});
const read = (path: string, output: string, id = path): MessageDraft[] => [
  {
    role: "assistant",
    parts: [{ type: "tool-call", toolCallId: id, toolName: "Read", input: { file_path: path } }],
  },
  {
    role: "tool",
    parts: [{ type: "tool-result", toolCallId: id, toolName: "Read", output: { type: "text", value: output } }],
  },
];
const summary = (text: string): MessageDraft => ({ role: "user", isSummary: true, parts: [{ type: "text", text }] });

function inspect(
  drafts: readonly MessageDraft[],
  compactions: readonly TranscriptCompaction[] = [],
): SessionInspection {
  const inspector = new SessionInspector(count);
  drafts
    .map((draft, i) => completeMessage(draft, i))
    .forEach((message: Message, i) => {
      for (const found of compactions) if (found.at === i) inspector.compaction(found);
      const [first] = message.parts;
      inspector.message(message, message.role === "user" && first?.type === "text" ? first.text : "");
    });
  return inspector.result("/app");
}

describe("windows of a recorded session", () => {
  test("have the instructions that only the reported usage shows", () => {
    const { calls } = inspect([said("x".repeat(100)), replied("ok", used(5_000))]);
    expect(calls[0]).toMatchObject({ tokens: 5_000, reported: 5_000, bands: { user: 120, instructions: 4_880 } });
  });

  test("are counted in the provider's tokens once usage was reported", () => {
    const turn = (size: number, reported: number) => [said("x".repeat(size)), replied("", used(reported))];
    const { calls } = inspect([...turn(100, 1_000), ...turn(4_000, 7_000), ...turn(1_000, 8_500)]);
    expect(calls[2]?.tokens).toBe(8_500);
  });

  test("have the tool calls of the replies before, and their results", () => {
    const [call, result] = read("/app/a.ts", "x".repeat(1_000)) as [MessageDraft, MessageDraft];
    const { calls } = inspect([said("go"), { ...call, usage: used(5_000) }, result, replied("done", used(6_500))]);
    const input = JSON.stringify({ file_path: "/app/a.ts" }).length;
    expect(calls[1]?.bands).toMatchObject({ calls: Math.round(1.2 * input), results: 1_200 });
  });

  test("name content that the transcript lacks, and tokens that the agent removed", () => {
    const { calls } = inspect([
      said("x".repeat(100)),
      ...read("/app/a.ts", "y".repeat(8_000)),
      replied("done", used(20_000)),
      said("go on"),
      replied("", used(29_000)),
      said("more"),
      replied("", used(15_000)),
      said("again"),
      replied("", used(15_010)),
    ]);
    expect(calls[3]?.bands.added).toBeGreaterThan(8_900);
    expect(calls[3]?.removed).toBeGreaterThan(13_900);
    expect(calls[4]?.tokens).toBeLessThan(15_100);
  });

  test("have bands that add up, whatever the provider reports", () => {
    const message = fc.oneof(
      fc.nat(500).map((size) => said("x".repeat(size))),
      fc.tuple(fc.nat(500), fc.nat(9_000)).map(([size, total]) => replied("y".repeat(size), used(total))),
      fc.nat(500).map((size) => summary("z".repeat(size))),
    );
    fc.assert(
      fc.property(fc.array(message, { maxLength: 40 }), fc.nat(40), (drafts, at) => {
        for (const { bands, tokens } of inspect(drafts, [{ at }]).calls) {
          expect(BANDS.reduce((total, band) => total + bands[band], 0)).toBe(tokens);
          expect(Math.min(...Object.values(bands))).toBeGreaterThanOrEqual(0);
        }
      }),
    );
  });

  test("have messages and unrecorded tokens that add up to the tokens of the call", () => {
    const message = fc.oneof(
      fc.nat(500).map((size) => said("x".repeat(size))),
      fc.tuple(fc.nat(500), fc.nat(9_000)).map(([size, total]) => replied("y".repeat(size), used(total))),
    );
    fc.assert(
      fc.property(fc.array(message, { maxLength: 30 }), fc.nat(30), (drafts, at) => {
        const compactions = [{ at, summary: "z" }];
        const messages = drafts.map((draft, i) => completeMessage(draft, i));
        const { calls } = inspect(drafts, compactions);
        const windows = calls.map((_, i) => windowOfCall({ id: "s", meta: {}, messages, compactions }, i, count));
        expect(windows.map((window) => window?.tokens)).toEqual(calls.map(({ tokens }) => tokens));
        for (const window of windows) {
          const recorded = window?.messages.reduce((total, { tokens }) => total + tokens, 0) ?? 0;
          expect(recorded + (window?.unrecorded ?? 0)).toBe(window?.tokens);
        }
      }),
    );
  });
});

describe("masked outputs", () => {
  const drafts = [said("Fix it."), ...read("/app/a.ts", "x".repeat(900)), replied("Found."), replied("Fixed.")];
  const messages = drafts.map((draft, i) => completeMessage(draft, i));
  const output = messages[2]?.parts[0] as ToolResultPart;
  const mask: ToolResultPart = { ...output, output: { type: "text", value: "[masked]" }, compactedAt: 3 };
  const session = { id: "s", meta: {}, messages, isCountedByUs: true, masks: [{ at: 4, parts: [mask] }] };

  test("have the size and the text of the mask from the next call on", () => {
    const [full, masked] = [2, 3].map((call) => windowOfCall({ ...session, compactions: [] }, call - 1, count));
    expect(full?.bands.results).toBe(900);
    expect(masked?.bands.results).toBe("[masked]".length);
    const shown = masked?.messages.find(({ index }) => index === 2);
    expect(shown).toMatchObject({ tokens: 8, message: { parts: [mask] } });
  });

  test("are counted without the provider's ratio in a session that our own counts decide", () => {
    const { isCountedByUs: _, ...foreign } = session;
    const sizes = [session, foreign].map((one) => windowOfCall({ ...one, compactions: [] }, 1, count)?.bands.results);
    expect(sizes).toEqual([900, 1_080]);
  });

  test("are neither kept nor gone in a compaction that leaves them in the window", async () => {
    const compactions = [{ at: 5, summary: "z", window: messages.slice(2, 3) }];
    const counter = { ...createTokenCounter("gpt-4o", {}), part: count };
    const report = await reportSession({ ...session, compactions }, { counter, readSpeech: () => "" });
    expect(report.compactions[0]?.items.find(({ message }) => message === 2)).toMatchObject({
      fate: "masked",
      text: expect.stringContaining("[masked]"),
    });
  });
});

describe("a compaction", () => {
  const before = [
    said("Fix the totals. Never push to main without asking me."),
    ...read("/app/src/totals.ts", "export function sumOfTotals() {}".repeat(20)),
    ...read("/app/src/tax.ts", "export function taxOfCart() {}".repeat(20)),
    replied("I found it.", used(3_000)),
  ];
  const at = before.length;

  test("has the tokens before and after, and the fate of each message", () => {
    const text = "Work on src/totals.ts: sumOfTotals() is wrong.";
    const drafts = [...before, summary(text), said("go on"), replied("ok", used(1_200))];
    const [found] = inspect(drafts, [{ at, summary: text }]).compactions;
    expect(found).toMatchObject({ call: 3, tokensAfter: 1_200 });
    expect(found?.tokensBefore).toBeGreaterThanOrEqual(3_000);
    const fates = found?.items.map(({ message, fate }) => [message, fate]);
    expect(fates).toEqual([
      [0, "gone"],
      [1, "gone"],
      [2, "mentioned"],
      [3, "gone"],
      [4, "gone"],
      [5, "gone"],
      [6, "added"],
      [7, "added"],
    ]);
    const sumOf = (isAdded: boolean) =>
      found?.items.reduce((sum, { tokens, fate }) => sum + ((fate === "added") === isAdded ? tokens : 0), 0) ?? 0;
    expect(sumOf(false)).toBeGreaterThan(sumOf(true));
  });

  test("names the messages that the transcript has only in the window after it, with their text", () => {
    const standIn = completeMessage({ ...summary("The totals are wrong."), id: "stand-in" }, 90);
    const drafts = [...before, said("go on"), replied("ok", used(1_200))];
    const [found] = inspect(drafts, [{ at, window: [standIn] }]).compactions;
    const added = found?.items.filter(({ fate }) => fate === "added");
    expect(added).toMatchObject([{ band: "summaries", text: "The totals are wrong." }, { message: at }]);
  });

  test("lists lookups that were made again, with the tokens of their results", () => {
    const again = read("/app/src/tax.ts", "x".repeat(700), "second");
    const other = read("/app/src/new.ts", "x".repeat(900));
    const drafts = [...before, summary("The totals are wrong."), ...again, ...other];
    const [found] = inspect(drafts, [{ at, summary: "The totals are wrong." }]).compactions;
    expect(found?.lookups).toEqual([{ toolName: "Read", target: "/app/src/tax.ts", message: at + 1, tokens: 700 }]);
  });

  test("shows from which call on a rule was missing, and when it was given again", () => {
    const drafts = [
      ...before,
      summary("Totals."),
      replied("ok"),
      said("Never push to main without asking me!"),
      replied("ok"),
    ];
    const [rule] = inspect(drafts, [{ at, summary: "Totals." }]).rules;
    expect(rule).toMatchObject({
      text: "Never push to main without asking me.",
      message: 0,
      present: [
        [0, 2],
        [4, 4],
      ],
      missingFrom: 3,
      repeatedAt: at + 2,
    });
  });

  test("keeps a rule in the window if its summary states it", () => {
    const text = "Rule of the user: never push to main without asking.";
    const { rules } = inspect([...before, summary(text), replied("ok")], [{ at, summary: text }]);
    expect(rules[0]).toMatchObject({ present: [[0, 3]] });
    expect(rules[0]).not.toHaveProperty("missingFrom");
  });
});

describe("the prompt-cache bill", () => {
  const drafts = (gap: number, modelId = "m"): MessageDraft[] => [
    said("hello"),
    { ...replied("hi", used(3, 0, 9_000)), createdAt: 1_000, modelId: "m" },
    said("go on"),
    { ...replied("ok", used(3, 100, 9_100)), createdAt: 1_000 + gap, modelId },
  ];

  test.each([
    ["changed", drafts(1_000)],
    ["expired", drafts(600_000)],
    ["model", drafts(1_000, "other")],
  ])("names the cause of a lost prefix: %s", (cause, messages) => {
    const { calls } = inspect(messages);
    expect(calls[1]?.cache).toEqual({ read: 100, written: 9_100, uncached: 3, lost: { tokens: 8_903, cause } });
  });

  test("names the message at which the window changed", () => {
    const long = "x".repeat(5_000);
    const { calls } = inspect([
      said(long),
      { ...replied("hi", used(3, 0, 9_000)), createdAt: 1_000, modelId: "m" },
      said(long),
      { ...replied("ok", used(3, 9_000, 5_000)), createdAt: 2_000, modelId: "m" },
      said("go on"),
      { ...replied("ok", used(3, 9_100, 5_000)), createdAt: 3_000, modelId: "m" },
    ]);
    expect(calls[2]?.cache?.lost).toEqual({ tokens: 4_903, cause: "changed", message: 2 });
  });

  test("names a compaction as the cause", () => {
    const [, second] = inspect(drafts(1_000), [{ at: 2 }]).calls;
    expect(second?.cache?.lost?.cause).toBe("compaction");
  });

  test("has no more tokens paid again than the call wrote or sent without cache", () => {
    const after = (usage: TokenUsage) =>
      inspect([said("hello"), replied("hi", used(3, 0, 40_000)), said("go on"), replied("ok", usage)], [{ at: 2 }]);
    expect(after(used(3, 16_000, 5_000)).calls[1]?.cache?.lost).toEqual({ tokens: 5_003, cause: "compaction" });
    expect(after(used(3, 20_000, 500)).calls[1]?.cache).not.toHaveProperty("lost");
  });
});
