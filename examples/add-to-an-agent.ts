// Throughline in an agent of the AI SDK: the three lines with an arrow are all that is added. Without the
// last one the model refuses the 20th call. (`middleware` in coding-agent.ts also keeps answers and learns real
// limits.)
import assert from "node:assert/strict";
import { generateText, isStepCount, jsonSchema, tool } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { createThroughline } from "throughline"; // ←
import { prepareStep } from "throughline/ai-sdk"; // ←

const { steps } = await generateText({
  model: smallModel(),
  tools: {
    readLog: tool({ inputSchema: jsonSchema({ type: "object" }), execute: async () => "GET / 200\n".repeat(300) }),
  },
  prompt: "Read the log until you find the error.",
  stopWhen: isStepCount(40),
  prepareStep: prepareStep((await createThroughline()).session("log", { modelId: "gpt-4o", contextLimit: 16_000 })), // ←
});
console.log(`${steps.length} steps, none refused`);
assert.equal(steps.length, 40);

/** Replaces a provider's model: it keeps reading, and accepts at most 16,000 tokens. */
function smallModel() {
  const tokens = { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined };
  let call = 0;
  return new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => {
      call += 1;
      const size = JSON.stringify(prompt).length / 4;
      if (size > 16_000) throw new Error(`Call ${call} has ${size} tokens: too many.`);
      return {
        content: [{ type: "tool-call", toolCallId: `call_${call}`, toolName: "readLog", input: "{}" }],
        finishReason: { unified: "tool-calls", raw: "tool-calls" },
        usage: { inputTokens: tokens, outputTokens: { ...tokens, text: undefined, reasoning: undefined } },
        warnings: [],
      };
    },
  });
}
