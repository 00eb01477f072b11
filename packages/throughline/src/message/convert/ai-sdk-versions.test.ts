import * as v7 from "ai";
import { MockLanguageModelV3, MockLanguageModelV4 } from "ai/test";
import * as v6 from "ai-v6";
import { MockLanguageModelV3 as MockLanguageModelV6 } from "ai-v6/test";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { Message } from "../message.ts";
import { sdkMessage } from "./ai-sdk.arbitrary.ts";
import { convertModelToRich, convertRichToModel } from "./ai-sdk.ts";
import type { ModelMessage } from "./ai-sdk-types.ts";
import { anthropicConversation } from "./anthropic.arbitrary.ts";
import { type AnthropicConversation, convertAnthropicToRich } from "./anthropic.ts";
import { anthropicExample, chatExample, PNG, responsesExample } from "./conversations.fixture.ts";
import { convertChatToRich, type OpenAiChatMessage } from "./openai/openai-chat.ts";
import { convertResponsesToRich, type OpenAiResponsesItem } from "./openai/openai-responses.ts";
import { chatMessage, responsesItem } from "./openai.arbitrary.ts";
import { forAll, type RawRecord } from "./raw.arbitrary.ts";
import { convertUiToRich } from "./ui-message.ts";

const SCHEMAS = { 6: v6.modelMessageSchema, 7: v7.modelMessageSchema } as const;

function expectAccepted(messages: readonly unknown[]): void {
  for (const message of messages) {
    for (const schema of [v6.modelMessageSchema, v7.modelMessageSchema]) {
      const { success, error } = schema.safeParse(message);
      expect(success, `${error?.message} ${JSON.stringify(message)}`).toBe(true);
    }
  }
}

describe("the schemas of both versions", () => {
  it.each([6, 7] as const)("accept messages of version %i after a round trip", (version) => {
    forAll(sdkMessage(version), (raw) => {
      expect(SCHEMAS[version].safeParse(raw).success).toBe(true);
      const [again] = convertRichToModel(convertModelToRich([raw as { role: string; content: unknown }]));
      expect(SCHEMAS[version].safeParse(again).success).toBe(true);
      expect(again).toEqual(raw);
    });
  });

  it("accept messages converted from Anthropic", () => {
    forAll(anthropicConversation, (raw) => {
      expectAccepted(convertRichToModel(convertAnthropicToRich(raw as unknown as AnthropicConversation)));
    });
  });

  it("accept messages converted from OpenAI chat", () => {
    forAll(fc.array(chatMessage, { maxLength: 4 }), (raw) => {
      expectAccepted(convertRichToModel(convertChatToRich(raw as unknown as OpenAiChatMessage[])));
    });
  });

  it("accept messages converted from OpenAI Responses", () => {
    forAll(fc.array(responsesItem, { maxLength: 4 }), (raw) => {
      expectAccepted(convertRichToModel(convertResponsesToRich(raw as OpenAiResponsesItem[])));
    });
  });
});

const ANSWER = {
  content: [{ type: "text" as const, text: "ok" }],
  finishReason: { unified: "stop" as const, raw: undefined },
  usage: {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  },
  warnings: [],
};

interface Prompted {
  readonly role: string;
  readonly content: string | readonly RawRecord[];
}

/** Sends the messages with both SDK versions to their mock models and returns the prompts that the models received. */
async function send(messages: ModelMessage[]): Promise<Prompted[][]> {
  const supportedUrls = { "*/*": [/.*/] };
  const models7 = [
    new MockLanguageModelV4({ doGenerate: ANSWER, supportedUrls }),
    new MockLanguageModelV3({ doGenerate: ANSWER, supportedUrls }),
  ];
  const model6 = new MockLanguageModelV6({ doGenerate: ANSWER, supportedUrls });
  for (const model of models7) {
    expect((await v7.generateText({ model, messages, allowSystemInMessages: true })).text).toBe("ok");
  }
  expect((await v6.generateText({ model: model6, messages, allowSystemInMessages: true })).text).toBe("ok");
  return [...models7, model6].map((model) => model.doGenerateCalls[0]?.prompt as unknown as Prompted[]);
}

function partsOf(prompt: readonly Prompted[]): readonly RawRecord[] {
  return prompt.flatMap(({ content }) => (typeof content === "string" ? [] : content));
}

describe("generateText of both versions", () => {
  beforeAll(() => {
    globalThis.AI_SDK_LOG_WARNINGS = false;
  });

  const examples: [string, Message[], number][] = [
    ["Anthropic", convertAnthropicToRich(anthropicExample), 3],
    ["OpenAI chat", convertChatToRich(chatExample), 2],
    ["OpenAI Responses", convertResponsesToRich(responsesExample), 3],
  ];

  it.each(examples)("runs with a conversation from %s", async (_, rich, calls) => {
    for (const prompt of await send(convertRichToModel(rich))) {
      const parts = partsOf(prompt);
      expect(parts.filter((part) => part.type === "tool-call")).toHaveLength(calls);
      expect(parts.filter((part) => part.type === "reasoning").length).toBeGreaterThan(0);
      const image = parts.find((part) => part.type === "file");
      expect(image).toMatchObject({ mediaType: "image/png" });
      expect(JSON.stringify(image?.data)).toContain(PNG);
    }
  });

  it("runs with AI SDK messages after a round trip, including approvals", async () => {
    const call = { type: "tool-call", toolCallId: "a", toolName: "rm", input: {} } as const;
    const search = {
      type: "tool-call",
      toolCallId: "s",
      toolName: "web_search",
      input: {},
      providerExecuted: true,
    } as const;
    const found = { type: "json" as const, value: [] };
    const messages: v6.ModelMessage[] = [
      { role: "user", content: "clean up" },
      {
        role: "assistant",
        content: [
          { type: "reasoning", text: "hm", providerOptions: { anthropic: { signature: "s" } } },
          search,
          { type: "tool-result", toolCallId: "s", toolName: "web_search", output: found },
          call,
          { type: "tool-approval-request", approvalId: "p", toolCallId: "a" },
        ],
      },
      { role: "tool", content: [{ type: "tool-approval-response", approvalId: "p", approved: false, reason: "no" }] },
    ];
    for (const prompt of await send(convertRichToModel(convertModelToRich(messages)))) {
      expect(partsOf(prompt)).toMatchObject([
        { type: "text", text: "clean up" },
        { type: "reasoning", text: "hm" },
        { type: "tool-call", toolCallId: "s", providerExecuted: true },
        { type: "tool-result", toolCallId: "s" },
        { type: "tool-call", toolCallId: "a" },
        { type: "tool-result", toolCallId: "a", output: { type: "execution-denied", reason: "no" } },
      ]);
    }
  });

  it("runs with an image URL of unknown type", async () => {
    const image = { type: "image_url", image_url: { url: "https://example.com/a.png" } };
    const rich = convertChatToRich([{ role: "user", content: [image] }]);
    for (const prompt of await send(convertRichToModel(rich))) {
      expect(partsOf(prompt)).toMatchObject([{ type: "file", mediaType: expect.stringMatching(/^image/) }]);
    }
  });
});

describe("the types of both versions", () => {
  it("accept our output, and their output is accepted", () => {
    const written: ModelMessage[] = convertRichToModel([]);
    const to6: v6.ModelMessage[] = written;
    const to7: v7.ModelMessage[] = written;
    const ui6: v6.UIMessage[] = [];
    const ui7: v7.UIMessage[] = [];
    expect([convertModelToRich(to6), convertModelToRich(to7), convertUiToRich(ui6), convertUiToRich(ui7)]).toEqual([
      [],
      [],
      [],
      [],
    ]);
  });
});
