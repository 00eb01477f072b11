import { getModelLimits } from "throughline";
import { modelErrors } from "../../copy/models.ts";
import type { ChatModel } from "../chat-model.ts";
import { ModelError } from "../model-error.ts";
import {
  type EndpointRequest,
  explainEndpoint,
  explainStatus,
  invalidAnswer,
  timeoutError,
  unreachable,
} from "./explain-endpoint.ts";

/** A model in the list of an endpoint. */
export interface ListedModel {
  readonly id: string;
  /** Tokens, if the endpoint reports them. */
  readonly contextLimit?: number;
}

interface AskOptions {
  readonly fetch: typeof fetch;
  readonly baseUrl: string;
  readonly apiKey?: string;
  readonly timeoutMs: number;
}

/** Lists the models of an endpoint. Rejects with a `ModelError`. */
export async function askModels({ fetch, baseUrl, apiKey, timeoutMs }: AskOptions): Promise<readonly ListedModel[]> {
  const { host } = new URL(baseUrl);
  const request: EndpointRequest = { host, ...(apiKey && { apiKey }) };
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const headers = { accept: "application/json", ...(apiKey && { authorization: `Bearer ${apiKey}` }) };
    const response = await fetch(`${baseUrl}/models`, { headers, signal });
    const body = await response.text();
    const retryAfter = response.headers.get("retry-after") ?? undefined;
    if (!response.ok) throw explainStatus({ status: response.status, retryAfter, body }, request);
    return readModels(body) ?? fail(invalidAnswer(host));
  } catch (error) {
    if (signal.aborted) throw timeoutError(host, Math.round(timeoutMs / 1_000), false);
    throw explainEndpoint(error, request, false);
  }
}

function fail(error: ModelError): never {
  throw error;
}

/** `{ data: [{ id }] }` as from OpenAI, or the bare list that some endpoints return. */
function readModels(body: string): readonly ListedModel[] | undefined {
  const answer = parse(body);
  const list = Array.isArray(answer) ? answer : isRecord(answer) ? answer.data : undefined;
  return Array.isArray(list) ? list.flatMap(readModel) : undefined;
}

function readModel(item: unknown): ListedModel[] {
  if (!isRecord(item) || typeof item.id !== "string" || item.id === "") return [];
  // OpenRouter, vLLM and LM Studio each use their own field name.
  const limits = [item.context_length, item.max_model_len, item.loaded_context_length];
  const contextLimit = limits.find((limit): limit is number => typeof limit === "number" && limit > 0);
  return [{ id: item.id, ...(contextLimit !== undefined && { contextLimit }) }];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * A `fetch` for one server only. Redirects to another server are refused, because messages and key would go there.
 */
export function guardedFetch(fetchIt: typeof fetch, baseUrl: string, credentials: RequestCredentials): typeof fetch {
  const { origin, host } = new URL(baseUrl);
  return async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    if (new URL(url).origin !== origin) throw new ModelError("failed", modelErrors.endpoint.otherServer(host, url));
    const headers = new Headers(init?.headers);
    // Some endpoints refuse this header from pages of other origins.
    headers.delete("user-agent");
    const response = await fetchIt(url, {
      ...init,
      headers,
      credentials,
      redirect: "manual",
      referrerPolicy: "no-referrer",
      cache: "no-store",
    }).catch((error: unknown) => {
      if (init?.signal?.aborted) throw error;
      throw unreachable(baseUrl, error);
    });
    if (response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400)) {
      throw new ModelError("unreachable", modelErrors.endpoint.redirect(host));
    }
    return response;
  };
}

/** Context limit that nearly every model supports. */
const DEFAULT_CONTEXT_LIMIT = 8_192;

/**
 * Context limit of a model, from the person, the endpoint or the registry; otherwise a value that nearly every model
 * supports.
 */
export function contextLimitOf(modelId: string, place: ChatModel["place"], said?: number): number {
  if (said !== undefined) return said;
  // Local servers often load a model with a smaller context than it supports, and truncate without an error.
  if (place === "device") return DEFAULT_CONTEXT_LIMIT;
  const { contextLimit, source } = getModelLimits(modelId);
  return source === "default" ? DEFAULT_CONTEXT_LIMIT : contextLimit;
}
