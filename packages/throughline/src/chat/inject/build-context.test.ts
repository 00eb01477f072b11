import type { ModelMessage as SdkMessage } from "ai";
import fc from "fast-check";
import { describe, expect, expectTypeOf, it } from "vitest";
import { convertModelToRich } from "../../message/convert/ai-sdk.ts";
import type { Message } from "../../message/message.ts";
import { countTotalTokens } from "../../tokens/count-message.ts";
import { counterFor } from "../../tokens/count-tokens.ts";
import { anyMemoryFacts, anyMessage, memoryFactOf } from "../memory-fact.arbitrary.ts";
import { buildContextWithMemory } from "./build-context.ts";
import { formatMemoryForPrompt } from "./memory-prompt.ts";

const facts = [memoryFactOf("Migrating to Postgres"), memoryFactOf("Lives in Rome", { category: "identity" })];
const block = formatMemoryForPrompt(facts);
const chat: SdkMessage[] = [
  { role: "user", content: "Hello" },
  { role: "assistant", content: [{ type: "text", text: "Hi!" }] },
];

describe("buildContextWithMemory", () => {
  it("puts the facts after the base prompt and before the conversation", () => {
    const built = buildContextWithMemory(chat, facts, "gpt-4o", { baseSystemPrompt: "Be kind." });
    expect(built.messages).toEqual([{ role: "system", content: `Be kind.\n\n${block}` }, ...chat]);
    expectTypeOf(built.messages).toEqualTypeOf<SdkMessage[]>();
  });

  it("extends an existing system message", () => {
    const system: SdkMessage = { role: "system", content: "Be kind." };
    const built = buildContextWithMemory([system, ...chat], facts, "gpt-4o");
    expect(built.messages).toEqual([{ role: "system", content: `Be kind.\n\n${block}` }, ...chat]);
    expect(system.content).toBe("Be kind.");
  });

  it("keeps Throughline messages as Throughline messages", () => {
    const own = convertModelToRich(chat, "s1");
    const built = buildContextWithMemory(own, facts, "gpt-4o");
    expectTypeOf(built.messages).toEqualTypeOf<Message[]>();
    expect(built.messages[0]).toMatchObject({
      role: "system",
      sessionId: "s1",
      parts: [{ type: "text", text: block }],
    });
    expect(built.messages.slice(1)).toEqual(own);
    const again = buildContextWithMemory(built.messages, facts, "gpt-4o", { baseSystemPrompt: "Be kind." });
    expect(again.messages[0]?.parts.map((part) => part.type === "text" && part.text)).toEqual([
      "Be kind.",
      block,
      block,
    ]);
  });

  it("changes nothing if there is nothing to add", () => {
    expect(buildContextWithMemory(chat, [], "gpt-4o").messages).toEqual(chat);
    expect(buildContextWithMemory([], [], "gpt-4o")).toMatchObject({ messages: [], totalTokens: 0, percentUsed: 0 });
  });

  it("reports the usage of the window", () => {
    const built = buildContextWithMemory(chat, facts, "gpt-4o", { contextWindow: 2_000 });
    expect(built.totalTokens).toBe(countTotalTokens(convertModelToRich(built.messages), { modelId: "gpt-4o" }));
    expect(built.percentUsed).toBeCloseTo(built.totalTokens / 20);
    expect(built.memoryTokens).toBe(counterFor("gpt-4o").count(block));
  });

  it("returns the used facts with their reasons", () => {
    const { used } = buildContextWithMemory(chat, facts, "gpt-4o", { currentMessage: "Which postgres?" });
    expect(used).toEqual([{ fact: facts[0], reason: 'Active project (matched "postgres")' }]);
  });

  it("never uses more than 500 tokens for memories, by the model's own count", () => {
    const models = fc.constantFrom("gpt-4o", "claude-sonnet-4-5", "some-local-model");
    fc.assert(
      fc.property(anyMemoryFacts, anyMessage, models, (memories, message, modelId) => {
        const options = message === undefined ? {} : { currentMessage: message };
        const { memoryTokens, used } = buildContextWithMemory(chat, memories, modelId, options);
        expect(memoryTokens).toBeLessThanOrEqual(500);
        expect(memoryTokens).toBe(counterFor(modelId).count(formatMemoryForPrompt(used.map(({ fact }) => fact))));
      }),
    );
  });
});
