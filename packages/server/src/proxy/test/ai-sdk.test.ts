import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, isStepCount, jsonSchema, type ModelMessage, streamText, tool } from "ai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inProcessStore } from "../../../../throughline/src/store/in-process.ts";
import { isLong } from "../../../../throughline/test/long-tests.ts";
import { type ProviderServer, startProviderServer } from "./provider-server.fixture.ts";
import { type RunningProxy, startProxy } from "./proxy.fixture.ts";

const TASK = "Tidy up the project in app. Never touch app/legacy.";
let upstream: ProviderServer;
let proxy: RunningProxy;
beforeAll(async () => {
  (globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;
  upstream = await startProviderServer();
  proxy = await startProxy({ store: inProcessStore(), model: { url: upstream.url }, contextLimits: { local: 9_000 } });
});
afterAll(async () => {
  await proxy.close();
  await upstream.close();
});

const tools = {
  read: tool({
    inputSchema: jsonSchema<{ size: number }>({ type: "object", properties: { size: { type: "number" } } }),
    execute: async ({ size }) => "a line of what was read\n".repeat(size),
  }),
};

describe("an AI SDK agent with another base URL", () => {
  it.each(isLong ? (["generateText", "streamText"] as const) : (["streamText"] as const))(
    "runs 40 steps in a small window: %s",
    async (use) => {
      const model = createOpenAICompatible({ name: "local", baseURL: proxy.url, apiKey: "k", includeUsage: true })(
        "local",
      );
      const from = upstream.log.length;
      const sessionsBefore = (await (await proxy.throughline()).sessions()).length;
      upstream.provider.limit = 6_000;
      let calls = 0;
      upstream.provider.answer = () => {
        calls += 1;
        if (calls % 20 === 0) return { text: "Done." };
        const call = (index: number) => ({ id: `${use}_${calls}_${index}`, name: "read", input: { size: 150 } });
        return { text: "Let me look.", calls: calls % 3 === 0 ? [call(0), call(1)] : [call(0)] };
      };
      const messages: ModelMessage[] = [];
      for (const text of [TASK, "Go on with the tests."]) {
        messages.push({ role: "user", content: text });
        const asked = { model, tools, messages, stopWhen: isStepCount(30), maxRetries: 0, maxOutputTokens: 400 };
        if (use === "generateText") messages.push(...(await generateText(asked)).responseMessages);
        else messages.push(...(await streamText(asked).responseMessages));
      }
      const log = upstream.log.slice(from);
      expect(calls).toBe(40);
      for (const { body, refusal, isOverflow } of log) {
        expect(refusal === undefined || isOverflow, refusal).toBe(true);
        expect(body).toContain(TASK);
      }
      expect(log.filter(({ body }) => /## Session Summary|Output of read masked/.test(body)).length).toBeGreaterThan(
        10,
      );
      expect(proxy.errors).toEqual([]);
      const sessions = await (await proxy.throughline()).sessions();
      expect(sessions).toHaveLength(sessionsBefore + 1);
    },
  );
});
