import type { ModelError } from "../model-error.ts";
import {
  type EndpointRequest,
  explainEndpoint,
  explainStatus,
  invalidAnswer,
  timeoutError,
} from "./explain-endpoint.ts";

/** A model in the list of an endpoint. */
export interface ListedModel {
  readonly id: string;
  /** Tokens, if the endpoint reports them. */
  readonly contextLimit?: number;
}

export interface AskOptions {
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
