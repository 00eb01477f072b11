import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { CurrentModel } from "../chat-model.ts";
import { speakPlainly } from "../speak-plainly.ts";
import { type Asked, explainEndpoint, silence } from "./explain-endpoint.ts";

/** Timeouts for a model. */
export interface Patience {
  /** Without a word. */
  readonly silenceMs: number;
  /** For an answer in one piece. */
  readonly wholeMs: number;
}

export interface EndpointOptions {
  readonly fetch: typeof fetch;
  readonly baseUrl: string;
  readonly modelId: string;
  readonly apiKey?: string;
  readonly patience: Patience;
}

/** A model behind an address that speaks as OpenAI's does. Nothing is sent before it is asked something. */
export function openEndpoint({ fetch, baseUrl, modelId, apiKey, patience }: EndpointOptions): CurrentModel {
  const { host } = new URL(baseUrl);
  const asked: Asked = { host, modelId, ...(apiKey && { apiKey }) };
  const provider = createOpenAICompatible({
    name: "endpoint",
    baseURL: baseUrl,
    fetch,
    includeUsage: true,
    ...(apiKey && { apiKey }),
  });
  return speakPlainly(provider(modelId), {
    ...patience,
    explain: (error, hasBegun) => explainEndpoint(error, asked, hasBegun),
    silent: (seconds, hasBegun) => silence(host, seconds, hasBegun),
  });
}
