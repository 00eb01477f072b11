import * as v7 from "ai";
import { MockLanguageModelV4 } from "ai/test";
import * as v6 from "ai-v6";
import { MockLanguageModelV3 } from "ai-v6/test";

/** Both versions of the AI SDK with their mocks, and one agent that runs on either, in this process or another. */

// biome-ignore lint/suspicious/noExplicitAny: the same options go to two versions whose types differ.
type Loose = any;

const SDKS: Readonly<Record<string, { readonly sdk: Loose; readonly Mock: Loose }>> = {
  "7": { sdk: v7, Mock: MockLanguageModelV4 },
  "6": { sdk: v6, Mock: MockLanguageModelV3 },
};

// Warnings are expected; do not print them.
(globalThis as Loose).AI_SDK_LOG_WARNINGS = false;

export const VERSIONS = Object.keys(SDKS);
export const WAYS = ["generateText", "streamText"] as const;
export type Way = (typeof WAYS)[number];

const USAGE = {
  inputTokens: { total: 120, noCache: 100, cacheRead: 20, cacheWrite: 0 },
  outputTokens: { total: 30, text: 10, reasoning: 20 },
  raw: { prompt_tokens: 120, queue_time: 0.25 },
};
const METADATA = { id: "r-1", timestamp: new Date(1_760_000_000_000), modelId: "mock-model-2026-01-01" };
const WARNINGS = [{ type: "other", message: "seed is ignored" }];
const PROVIDER = { mock: { systemFingerprint: "fp_1", logprobs: [{ token: "sun", logprob: -0.5 }] } };
const CALL = { type: "tool-call", toolCallId: "call-1", toolName: "weather", input: '{"city":"Zürich"}' };
const finish = (unified: string) => ({
  finishReason: { unified, raw: unified },
  usage: USAGE,
  providerMetadata: PROVIDER,
});

/** Answers with a tool call, then with text when the result is there. */
function steps(prompt: readonly { readonly role: string }[]) {
  if (prompt.some(({ role }) => role === "tool")) {
    return { content: [{ type: "text", text: "It is sunny, 21 °C." }], ...finish("stop") };
  }
  const reasoning = { type: "reasoning", text: "I need the weather.", providerMetadata: { mock: { signature: "s1" } } };
  return { content: [reasoning, { type: "text", text: "Let me see." }, CALL], ...finish("tool-calls") };
}

/** The same answer as stream parts: texts in chunks of three characters. */
function chunks({ content, ...end }: ReturnType<typeof steps>): unknown[] {
  const parts = content.flatMap((part: Loose, index): unknown[] => {
    if (part.type === "tool-call") return [part];
    const { type, text, ...rest } = part;
    const pieces: string[] = text.match(/.{1,3}/gs) ?? [];
    const id = `${index}`;
    return [
      { type: `${type}-start`, id },
      ...pieces.map((delta) => ({ type: `${type}-delta`, id, delta })),
      { type: `${type}-end`, id, ...rest },
    ];
  });
  return [
    { type: "stream-start", warnings: WARNINGS },
    { type: "response-metadata", ...METADATA },
    ...parts,
    { type: "finish", ...end },
  ];
}

/** A model of an AI SDK version with these answers. */
export function scriptedModel(version: string): Loose {
  const { sdk, Mock } = SDKS[version] as (typeof SDKS)[string];
  return new Mock({
    provider: "mock",
    modelId: "mock-model",
    supportedUrls: { "image/*": [/^https:\/\/images\.example\//i] },
    doGenerate: async ({ prompt }: Loose) => ({
      ...steps(prompt),
      warnings: WARNINGS,
      request: { body: { sent: "as it was" } },
      response: { ...METADATA, headers: { "x-request-id": "q-1", "set-cookie": "session=1" }, body: { id: "r-1" } },
    }),
    doStream: async ({ prompt }: Loose) => ({
      stream: sdk.simulateReadableStream({
        chunks: chunks(steps(prompt)),
        initialDelayInMs: null,
        chunkDelayInMs: null,
      }),
      response: { headers: { "x-request-id": "q-1", "set-cookie": "session=1" } },
    }),
  });
}

/** Values that must be equal live and replayed. */
export interface AgentRun {
  readonly text: string;
  readonly steps: unknown;
  readonly streamed: readonly unknown[];
}

/** Runs an agent with a tool to its end. */
export async function runAgent(version: string, way: Way, model: Loose): Promise<AgentRun> {
  const { sdk } = SDKS[version] as (typeof SDKS)[string];
  const city = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
  const weather = sdk.tool({ inputSchema: sdk.jsonSchema(city), execute: async () => ({ celsius: 21, sky: "clear" }) });
  const result = await sdk[way]({
    model,
    prompt: "How is the weather in Zürich?",
    tools: { weather },
    stopWhen: (sdk.isStepCount ?? sdk.stepCountIs)(3),
    maxRetries: 0,
    headers: { authorization: "Bearer not-for-the-tape-0123456789" },
  });
  const streamed: unknown[] = [];
  if (way === "streamText") {
    for await (const part of result.fullStream) if (/-delta$/.test(part.type)) streamed.push(part);
  }
  const taken = (await result.steps).map((step: Loose) => ({
    content: step.content,
    finishReason: step.finishReason,
    usage: step.usage,
    warnings: step.warnings,
    providerMetadata: step.providerMetadata,
    response: { id: step.response.id, timestamp: step.response.timestamp, modelId: step.response.modelId },
  }));
  return JSON.parse(JSON.stringify({ text: await result.text, steps: taken, streamed }));
}
