import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { CurrentModel } from "../chat-model.ts";
import { withModelErrors } from "../with-model-errors.ts";
import { type EndpointRequest, explainEndpoint, timeoutError } from "./explain-endpoint.ts";

/** Timeouts for a model. */
export interface Timeouts {
  /** Maximum silence. */
  readonly silenceMs: number;
  /** Maximum duration of a response that is not streamed. */
  readonly wholeMs: number;
}

export interface EndpointOptions {
  readonly fetch: typeof fetch;
  readonly baseUrl: string;
  readonly modelId: string;
  readonly apiKey?: string;
  readonly timeouts: Timeouts;
}

/** A model behind an endpoint with OpenAI's wire format. Sends nothing before the first message. */
export function openEndpoint({ fetch, baseUrl, modelId, apiKey, timeouts }: EndpointOptions): CurrentModel {
  const { host } = new URL(baseUrl);
  const target: EndpointRequest = { host, modelId, ...(apiKey && { apiKey }) };
  const provider = createOpenAICompatible({
    name: "endpoint",
    baseURL: baseUrl,
    fetch,
    includeUsage: true,
    ...(apiKey && { apiKey }),
  });
  return withModelErrors(provider(modelId), {
    ...timeouts,
    explain: (error, hasBegun) => explainEndpoint(error, target, hasBegun),
    silent: (seconds, hasBegun) => timeoutError(host, seconds, hasBegun),
  });
}
