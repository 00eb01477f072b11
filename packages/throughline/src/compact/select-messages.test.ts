import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { callPart, legalWindow, resultPart, say, windowOf } from "../message/message.arbitrary.ts";
import { legalCutPoints } from "../message/tool-pairs.ts";
import { extractOriginalTask, textOf } from "./original-task.ts";
import { filterMessagesForCompaction, selectMessagesToCompact, selectSpan } from "./select-messages.ts";

const talk = (count: number) =>
  Array.from({ length: count }, (_, i) => say(i % 2 === 0 ? "user" : "assistant", `m${i}`));

describe("selectMessagesToCompact", () => {
  it("keeps the system message and the last ten, and compacts what lies between", () => {
    const window = windowOf(say("system", "s"), ...talk(20));
    const { messagesToCompact, messagesToKeep, previousSummary } = selectMessagesToCompact(window);
    expect(messagesToCompact).toEqual(window.slice(1, 11));
    expect(messagesToKeep).toEqual([window[0], ...window.slice(11)]);
    expect(previousSummary).toBeNull();
  });

  it("moves the boundary so that no result is left without its call", () => {
    const window = windowOf(
      say("system", "s"),
      ...talk(6),
      say("assistant", callPart("x")),
      say("tool", resultPart("x")),
      ...talk(3),
    );
    const { messagesToKeep } = selectMessagesToCompact(window, 4);
    expect(messagesToKeep[1]).toBe(window[7]);
  });

  it("takes a summary by its heading, in the AI SDK's form too", () => {
    const messages = [
      { role: "system", content: "s" },
      { role: "assistant", content: "## Session Summary (Compaction Round 2)\nSo far." },
      ...Array.from({ length: 14 }, (_, i) => ({ role: i % 2 === 0 ? "user" : "assistant", content: `m${i}` })),
    ];
    const { messagesToCompact, previousSummary } = selectMessagesToCompact(messages);
    expect(previousSummary).toContain("Round 2");
    expect(messagesToCompact).toEqual(messages.slice(2, 6));
  });

  it("compacts the task where it stands before the summary, as in the first round", () => {
    const window = windowOf(
      say("system", "s"),
      say("user", "TASK"),
      say("assistant", "## Session Summary"),
      ...talk(14),
    );
    const { messagesToCompact, messagesToKeep } = selectMessagesToCompact(window);
    expect(messagesToCompact).toEqual([window[1], ...window.slice(3, 7)]);
    expect(messagesToKeep).toEqual([window[0], ...window.slice(7)]);
  });

  it("puts each message in one of the two lists, but for the summary", () => {
    const summary = say("assistant", "## Session Summary (Compaction Round 1)\nSo far.");
    const heads = [[], [say("system", "s")]].flatMap((system) => [
      system,
      [...system, summary],
      [...system, say("user", "TASK"), summary],
      [...system, say("user", "TASK"), say("assistant", "well"), summary],
    ]);
    fc.assert(
      fc.property(fc.constantFrom(...heads), legalWindow, fc.nat({ max: 14 }), (head, tail, keepLast) => {
        const window = [...windowOf(...head), ...tail.map((message) => ({ ...message, id: `tail-${message.id}` }))];
        const { messagesToCompact, messagesToKeep, previousSummary } = selectMessagesToCompact(window, keepLast);
        const chosen = [...messagesToCompact, ...messagesToKeep];
        const left = window.filter((message) => !chosen.includes(message));
        expect(new Set(chosen).size).toBe(chosen.length);
        expect(left.length).toBeLessThanOrEqual(1);
        for (const message of left) expect(textOf(message)).toBe(previousSummary);
        expect(messagesToKeep).toEqual(window.filter((message) => messagesToKeep.includes(message)));
      }),
    );
  });

  it("leaves a short list alone", () => {
    const window = windowOf(...talk(11));
    expect(selectMessagesToCompact(window)).toEqual({
      messagesToCompact: [],
      messagesToKeep: window,
      previousSummary: null,
    });
  });
});

describe("selectSpan", () => {
  const tokensOf = () => 100;

  it("keeps the longest tail that fits, and the task apart", () => {
    expect(selectSpan(windowOf(...talk(10)), 350, tokensOf)).toEqual({ task: 0, tailStart: 7 });
  });

  it("keeps the last exchange even where it does not fit, and nothing where nothing is asked for", () => {
    expect(selectSpan(windowOf(...talk(10)), 1, tokensOf)).toEqual({ task: 0, tailStart: 9 });
    expect(selectSpan(windowOf(...talk(10)), 0, tokensOf)).toEqual({ task: 0, tailStart: 10 });
  });
});

describe("selectSpan with other rules", () => {
  const tokensOf = () => 100;
  const steps = (count: number, from = 0) =>
    Array.from({ length: count }, (_, i) => [
      say("assistant", callPart(`c${from + i}`)),
      say("tool", resultPart(`c${from + i}`)),
    ]).flat();
  /** Two turns of the user after the task, at 5 and at 12. */
  const turns = windowOf(
    say("user", "task"),
    ...steps(2),
    say("user", "a"),
    ...steps(3, 2),
    say("user", "b"),
    ...steps(2, 5),
  );

  it("keeps the last messages, moved to where no pair is torn", () => {
    expect(selectSpan(turns, { messages: 5 }, tokensOf)).toEqual({ task: 0, tailStart: 12 });
    expect(selectSpan(turns, { messages: 7 }, tokensOf)).toEqual({ task: 0, tailStart: 10 });
    expect(selectSpan(turns, { messages: 99 }, tokensOf)).toBeUndefined();
  });

  it("keeps the last turns even where they take more than the tokens", () => {
    expect(selectSpan(turns, { tokens: 250 }, tokensOf)).toEqual({ task: 0, tailStart: 15 });
    expect(selectSpan(turns, { tokens: 250, turns: 1 }, tokensOf)).toEqual({ task: 0, tailStart: 12 });
    expect(selectSpan(turns, { tokens: 250, turns: 2 }, tokensOf)).toEqual({ task: 0, tailStart: 5 });
    expect(selectSpan(turns, { tokens: 0, turns: 2 }, tokensOf)).toEqual({ task: 0, tailStart: 5 });
  });

  it("keeps a longer tail than the turns where the tokens allow it", () => {
    expect(selectSpan(turns, { tokens: 650, turns: 1 }, tokensOf)).toEqual({ task: 0, tailStart: 12 });
    expect(selectSpan(turns, { tokens: 750, turns: 1 }, tokensOf)).toEqual({ task: 0, tailStart: 10 });
  });

  it("keeps as many of the turns as take no more than the most", () => {
    expect(selectSpan(turns, { tokens: 250, turns: 2, most: 600 }, tokensOf)).toEqual({ task: 0, tailStart: 12 });
    expect(selectSpan(turns, { tokens: 250, turns: 2, most: 400 }, tokensOf)).toEqual({ task: 0, tailStart: 15 });
  });

  it("does not take for a turn what was put there in the user's place", () => {
    const put = say("user", { type: "text", text: "Continue.", synthetic: true });
    const window = windowOf(say("user", "task"), ...steps(2), say("user", "a"), ...steps(2, 2), put, ...steps(2, 4));
    expect(selectSpan(window, { tokens: 250, turns: 1 }, tokensOf)).toEqual({ task: 0, tailStart: 5 });
  });

  it("never tears a pair, never keeps fewer turns than asked for, and never more than fit for their sake", () => {
    fc.assert(
      fc.property(legalWindow, fc.nat({ max: 900 }), fc.nat({ max: 3 }), fc.nat({ max: 2_000 }), (window, ...rule) => {
        const [tokens, asked, most] = rule;
        const span = selectSpan(window, { tokens, turns: asked, most }, tokensOf);
        if (span === undefined) return;
        expect(legalCutPoints(window)).toContain(span.tailStart);
        const plain = selectSpan(window, tokens, tokensOf)?.tailStart ?? 0;
        expect(span.tailStart).toBeLessThanOrEqual(plain);
        if (span.tailStart < plain) expect((window.length - span.tailStart) * 100).toBeLessThanOrEqual(most);
        const starts = window.flatMap(({ role }, i) => (role === "user" ? [i] : []));
        const start = starts.slice(-asked || starts.length)[0] ?? 0;
        if (asked > 0 && (window.length - start) * 100 <= most) expect(span.tailStart).toBeLessThanOrEqual(start);
      }),
    );
  });
});

describe("filterMessagesForCompaction", () => {
  it("drops replies that failed and say nothing, and keeps those that were stopped half-way", () => {
    const [user, failed, stopped] = windowOf(
      say("user", "a"),
      say("assistant", { type: "reasoning", text: "hm" }),
      say("assistant", "half"),
    );
    if (!user || !failed || !stopped) throw new Error("no messages");
    const error = { name: "AbortError", message: "stopped" };
    expect(filterMessagesForCompaction([user, { ...failed, error }, { ...stopped, error }])).toEqual([
      user,
      { ...stopped, error },
    ]);
  });
});

describe("extractOriginalTask", () => {
  it("is the first thing that a person said, not what an agent put in their place", () => {
    const window = windowOf(
      say("user", { type: "text", text: "<environment>", synthetic: true }),
      say("user", "Fix it"),
    );
    expect(extractOriginalTask(window)).toBe("Fix it");
    expect(extractOriginalTask([])).toBe("Unknown task");
  });
});
