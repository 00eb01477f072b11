import { describe, expect, it } from "vitest";
import { say, windowOf } from "../message/message.arbitrary.ts";
import type { PartDraft } from "../message/part.ts";
import { QUIET } from "../ports/logger.ts";
import { countTotalBytes } from "../tokens/count-bytes.ts";
import { countMessageTokens } from "../tokens/count-message.ts";
import { createTokenCounter } from "../tokens/token-counter.ts";
import { fitWindow, type WindowBudget } from "./fit-window.ts";

const picture = (bytes: number): PartDraft => ({
  type: "file",
  mediaType: "image/png",
  data: { type: "data", data: "A".repeat(bytes) },
});
const talk = Array.from({ length: 20 }, (_, i) =>
  say(i % 2 === 0 ? "user" : "assistant", `${i} ${"word ".repeat(200)}`),
);
const fit = (budget: WindowBudget, ...drafts: Parameters<typeof windowOf>) =>
  fitWindow(windowOf(...drafts), budget, { counter: createTokenCounter("gpt-4o", {}), logger: QUIET });

describe("a window that has to fit", () => {
  it("loses the image with too many bytes, and no text", () => {
    const budget = { tokens: 100_000, bytes: 1_000_000 };
    const { messages, dropped, cut } = fit(budget, ...talk, say("user", "Look:", picture(3_000_000)));
    expect(countTotalBytes(messages)).toBeLessThanOrEqual(budget.bytes);
    expect(dropped).toEqual([]);
    expect(cut).toEqual(["m20.1"]);
    expect(messages.slice(0, 20)).toEqual(windowOf(...talk));
  });

  it("fits into tokens and bytes if both are exceeded", () => {
    for (const budget of [
      { tokens: 900, bytes: 100_000 },
      { tokens: 50_000, bytes: 6_000 },
      { tokens: 700, bytes: 5_000 },
    ]) {
      const { messages } = fit(
        budget,
        say("user", "Go", picture(50_000)),
        ...talk,
        say("user", "Look:", picture(200_000)),
      );
      expect(countTotalBytes(messages)).toBeLessThanOrEqual(budget.bytes);
      expect(messages.reduce((sum, message) => sum + countMessageTokens(message), 0)).toBeLessThanOrEqual(
        budget.tokens,
      );
    }
  });
});
