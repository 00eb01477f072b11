import { describe, expect, it } from "vitest";
import { callPart, resultPart, say, windowOf } from "../message/message.arbitrary.ts";
import { extractOriginalTask } from "./original-task.ts";
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
