import * as v7 from "ai";
import { MockLanguageModelV4 } from "ai/test";
import * as v6 from "ai-v6";
import { MockLanguageModelV3 } from "ai-v6/test";
import { describe, expect, it } from "vitest";
import { shouldCompact } from "../overflow/check-overflow.ts";
import { createThroughline } from "../throughline.ts";
import { safeCompact } from "./compact-messages.ts";
import { steps, task } from "./long-session.arbitrary.ts";

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

/** The types are what is checked here too: what goes in and out is the AI SDK's. */
describe("a step of the AI SDK", () => {
  it("takes what a compaction and a session give, in version 7", async () => {
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

  it("takes what a compaction and a session give, in version 6", async () => {
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
