import { describe, expect, it } from "vitest";
import type { Message } from "../message/message.ts";
import type { Part } from "../message/part.ts";
import { CompactionReviewer } from "./review-compactions.ts";

let ids = 0;

function message(role: Message["role"], part: object, more: Partial<Message> = {}): Message {
  ids += 1;
  const id = `m${ids}`;
  return { id, sessionId: "s", role, createdAt: 0, parts: [{ id: `${id}p`, ...part } as Part], ...more };
}

const typed = (command: string) =>
  message("assistant", { type: "tool-call", toolCallId: "c", toolName: "bash", input: { command } });
const shown = (value: string) =>
  message("tool", { type: "tool-result", toolCallId: "c", toolName: "bash", output: { type: "text", value } });
const summary = (text: string) => message("user", { type: "text", text }, { isSummary: true });

/** The review of a compaction between two lists of messages. */
function review(before: readonly Message[], kept: string | undefined, after: readonly Message[], folder?: string) {
  const reviewer = new CompactionReviewer();
  for (const one of before) reviewer.message(one);
  reviewer.compaction({ at: before.length, ...(kept === undefined ? {} : { summary: kept }) });
  for (const one of [...(kept === undefined ? [] : [summary(kept)]), ...after]) reviewer.message(one);
  return reviewer.reviews(folder)[0];
}

const FOUND = shown("src/cart.ts:12: keepItems\nsrc/order.ts:40: sendOrder");

describe("the review of a compaction", () => {
  it("counts names from before that the next calls type, and lists those that the summary lacks", () => {
    const after = [typed("sed -n 40p src/order.ts"), typed("grep keepItems src/cart.ts")];
    expect(review([FOUND], "The cart (src/cart.ts) is done.", after)).toEqual({
      calls: 2,
      needed: 3,
      kept: 1,
      keptNames: ["src/cart.ts"],
      missing: ["src/order.ts", "keepItems"],
    });
  });

  it("does not count a name that a result shows again before it is typed", () => {
    const after = [typed("ls"), shown("src/order.ts"), typed("cat src/order.ts")];
    expect(review([FOUND], "Nothing left.", after)).toEqual({
      calls: 2,
      needed: 0,
      kept: 0,
      keptNames: [],
      missing: [],
    });
  });

  it("does not count names that are new", () => {
    expect(review([FOUND], "Nothing left.", [typed("cat src/totals.ts")])?.needed).toBe(0);
  });

  it("counts only the next 40 calls", () => {
    const calls = Array.from({ length: 40 }, () => typed("ls"));
    expect(review([FOUND], "Nothing left.", [...calls, typed("cat src/order.ts")])).toMatchObject({
      calls: 40,
      needed: 0,
    });
    expect(review([FOUND], "Nothing left.", [...calls.slice(1), typed("cat src/order.ts")])?.needed).toBe(1);
  });

  it("accepts a path relative to the working folder, and the folder itself", () => {
    const before = [shown("/home/ada/shop/src/cart.ts")];
    const after = [typed("cd /home/ada/shop && cat /home/ada/shop/src/cart.ts")];
    expect(review(before, "See src/cart.ts.", after, "/home/ada/shop")).toMatchObject({
      needed: 1,
      kept: 1,
      missing: [],
    });
    expect(review(before, "See the cart.", after, "/home/ada/shop")?.missing).toEqual(["src/cart.ts"]);
    expect(review(before, "See the cart.", after)?.missing).toEqual(["/home/ada/shop/src/cart.ts"]);
  });

  it("reads paths of Windows", () => {
    const before = [shown("C:\\shop\\src\\cart.ts")];
    const after = [typed("cd C:\\shop && type C:\\shop\\src\\cart.ts")];
    expect(review(before, "See the cart.", after, "C:\\shop")?.missing).toEqual(["src\\cart.ts"]);
  });

  it("does not count a fixed value that only the agent wrote", () => {
    const todo = typed("in_progress");
    expect(review([todo], "Nothing left.", [todo])?.needed).toBe(0);
    expect(review([todo, shown("state: in_progress")], "Nothing left.", [todo])?.needed).toBe(1);
  });

  it("is missing if the transcript has neither summary nor window", () => {
    expect(review([FOUND], undefined, [typed("cat src/order.ts")])).toBeUndefined();
  });

  it("is about the window before it: names that an earlier compaction lost do not count again", () => {
    const reviewer = new CompactionReviewer();
    reviewer.message(FOUND);
    reviewer.compaction({ at: 1, summary: "See src/cart.ts." });
    reviewer.message(typed("ls"));
    reviewer.compaction({ at: 2, summary: "Nothing left." });
    reviewer.message(typed("cat src/cart.ts src/order.ts"));
    expect(reviewer.reviews().map((one) => one?.missing)).toEqual([[], ["src/cart.ts"]]);
  });
});
