import { describe, expect, it } from "vitest";
import { SOAK } from "../../../test/cases.ts";
import { createThroughline } from "../../throughline.ts";
import { chatSessionOptions } from "./prepare-chat-turn.ts";

const words = "Many words about gardens and roofs. ".repeat(40);

async function filled(contextLimit: number, share: number) {
  const session = (await createThroughline()).session("s", { modelId: "gpt-4o", ...chatSessionOptions(contextLimit) });
  let isFull = false;
  for (let at = 0; !isFull; at++) {
    await session.append([
      { role: "user", content: `Question ${at}: ${words}` },
      { role: "assistant", content: `Answer ${at}: ${words}` },
    ]);
    const { tokens } = await session.prepare();
    isFull = tokens.before >= contextLimit * share;
    if (isFull) return tokens;
  }
  throw new TypeError("unreachable");
}

describe("chatSessionOptions", () => {
  it.each(SOAK > 1 ? [4_096, 8_192, 32_768, 128_000] : [4_096, 32_768])(
    "compacts at 80% of %i tokens and not before",
    async (contextLimit) => {
      const early = await filled(contextLimit, 0.6);
      expect(early.final).toBe(early.before);
      const due = await filled(contextLimit, 0.801);
      expect(due.final).toBeLessThan(contextLimit * 0.8);
    },
  );

  it("reserves 15% of a small window for the reply, and at most the default of an agent", () => {
    expect(chatSessionOptions(4_096).outputReserve).toBe(614);
    expect(chatSessionOptions(200_000).outputReserve).toBe(4_000);
  });
});
