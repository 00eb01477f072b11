import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { callPart, legalWindow, resultPart, say, windowOf } from "../message/message.arbitrary.ts";
import {
  extractOriginalTask,
  filterMessagesForCompaction,
  selectMessagesToCompact,
  textOf,
} from "./select-messages.ts";

const talk = (count: number) =>
  Array.from({ length: count }, (_, i) => say(i % 2 === 0 ? "user" : "assistant", `m${i}`));

describe("selectMessagesToCompact", () => {
  it("keeps the system message and the last ten, and compacts the rest", () => {
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

  it("recognizes a summary by its heading, in AI SDK messages too", () => {
    const messages = [
      { role: "system", content: "s" },
      { role: "assistant", content: "## Session Summary (Compaction Round 2)\nSo far." },
      ...Array.from({ length: 14 }, (_, i) => ({ role: i % 2 === 0 ? "user" : "assistant", content: `m${i}` })),
    ];
    const { messagesToCompact, previousSummary } = selectMessagesToCompact(messages);
    expect(previousSummary).toContain("Round 2");
    expect(messagesToCompact).toEqual(messages.slice(2, 6));
  });

  it("compacts a task before the summary, as in the first round", () => {
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

  it("puts each message except the summary in one of the two lists", () => {
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

describe("filterMessagesForCompaction", () => {
  it("drops failed empty replies, and keeps partial ones", () => {
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
  it("is the first message of the user, without agent-inserted text", () => {
    const window = windowOf(
      say("user", { type: "text", text: "<environment>", synthetic: true }),
      say("user", "Fix it"),
    );
    expect(extractOriginalTask(window)).toBe("Fix it");
    expect(extractOriginalTask([])).toBe("Unknown task");
  });
});
