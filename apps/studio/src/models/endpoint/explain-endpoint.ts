import type { APICallError } from "ai";
import { ModelError, reasonOf } from "../model-error.ts";
import { isThisDevice } from "./address.ts";

/** Whom an answer was asked of. */
export interface Asked {
  readonly host: string;
  readonly modelId?: string;
  /** Only to keep it out of the words. */
  readonly apiKey?: string;
}

const SAFE = "Your conversation is unchanged.";

/** Explains a failure of an endpoint to a person. */
export function explainEndpoint(error: unknown, asked: Asked, hasBegun: boolean): ModelError {
  if (ModelError.isInstance(error)) return error;
  // The SDK wraps what a fetch throws for the network's sake.
  if (error instanceof Error && ModelError.isInstance(error.cause)) return error.cause;
  if (hasBegun) return brokeOff(asked.host, error);
  if (isApiCallError(error)) {
    const { statusCode, responseHeaders, responseBody } = error;
    // Some give the error's words in an answer that is otherwise fine.
    if (statusCode !== undefined && statusCode >= 400) {
      return explainStatus(
        { status: statusCode, retryAfter: responseHeaders?.["retry-after"], body: responseBody },
        asked,
      );
    }
    return statusCode === undefined ? brokeOff(asked.host, error) : notAnAnswer(asked.host, error);
  }
  if (error instanceof Error && error.name.startsWith("AI_")) return notAnAnswer(asked.host, error);
  const reason = withoutKey(reasonOf(error), asked);
  return new ModelError("failed", `${asked.host} couldn't reply: ${sentence(reason)} ${SAFE}`);
}

/** By its name: the SDK itself is loaded with the first model, and no earlier. */
function isApiCallError(error: unknown): error is APICallError {
  return error instanceof Error && error.name === "AI_APICallError";
}

export function explainStatus(
  {
    status,
    retryAfter,
    body = "",
  }: { readonly status: number; readonly retryAfter?: string | undefined; readonly body?: string | undefined },
  asked: Asked,
): ModelError {
  const { host, modelId, apiKey } = asked;
  if (status === 401 || status === 403) {
    const what = apiKey ? "rejected the API key" : "needs an API key";
    return new ModelError("refused-key", `${host} ${what}. ${SAFE} Edit the endpoint and enter the key.`);
  }
  if (status === 402) {
    return new ModelError(
      "busy",
      `${host} says your account has no credit left. ${SAFE} Add credit there, or choose another model.`,
    );
  }
  if (status === 404) {
    const what = modelId === undefined ? "has no model list at this URL" : `has no model "${modelId}" at this URL`;
    return new ModelError(
      "no-such-model",
      `${host} ${what}. ${SAFE} Check the base URL (it usually ends in /v1) and the model name.`,
    );
  }
  if (status === 429) {
    const wait =
      retryAfter && /^\d+$/.test(retryAfter) ? `Wait ${retryAfter} s and try again` : "Wait a moment and try again";
    return new ModelError("busy", `${host} got too many requests, or you reached your limit there. ${SAFE} ${wait}.`);
  }
  if (status === 413 || (status === 400 && /context|too long|too large|maximum.{0,20}tokens/i.test(body))) {
    return new ModelError(
      "too-long",
      `This conversation is too long for ${host}. ${SAFE} Enter a smaller context size for the endpoint.`,
    );
  }
  if (status >= 500) {
    return new ModelError(
      "failed",
      `The server at ${host} returned an error (${status}). ${SAFE} Try again in a moment.`,
    );
  }
  const said = withoutKey(messageIn(body), asked);
  return new ModelError(
    "failed",
    `${host} refused the request (${status})${said ? `: ${sentence(said)}` : "."} ${SAFE}`,
  );
}

/** A browser tells no page why: the server may be down, or may not let the page ask. */
export function unreachable(address: string, cause?: unknown): ModelError {
  const { host, protocol } = new URL(address);
  const page = typeof location === "undefined" ? undefined : location;
  const own = page?.origin ?? "this page";
  if (typeof navigator !== "undefined" && navigator.onLine === false && !isThisDevice(address)) {
    return new ModelError("unreachable", `You're offline. ${SAFE} Check your connection and try again.`, { cause });
  }
  const what = `${host} can't be reached. ${SAFE}`;
  if (page?.protocol === "https:" && protocol === "http:" && !isThisDevice(address)) {
    return new ModelError("unreachable", `${what} A page on https can only use https addresses.`, { cause });
  }
  const ollama = host.endsWith(":11434") ? ` For Ollama, set OLLAMA_ORIGINS=${own}.` : "";
  const check = `Make sure it's running and allows requests from ${own} (CORS).`;
  return new ModelError("unreachable", `${what} ${check}${ollama}`, { cause });
}

export function notAnAnswer(host: string, cause?: unknown): ModelError {
  return new ModelError(
    "broken-answer",
    `${host} didn't return a valid response. ${SAFE} Check that it's an OpenAI-compatible API.`,
    { cause },
  );
}

export function silence(host: string, seconds: number, hasBegun: boolean): ModelError {
  return hasBegun
    ? new ModelError(
        "silent",
        `The model at ${host} stopped responding for ${seconds} s. The partial reply is saved. Try again.`,
      )
    : new ModelError(
        "silent",
        `The model at ${host} didn't reply within ${seconds} s. ${SAFE} Try again, or choose another model.`,
      );
}

function brokeOff(host: string, cause: unknown): ModelError {
  return new ModelError("broken-answer", `The connection to ${host} was lost. The partial reply is saved. Try again.`, {
    cause,
  });
}

/** The error message of an endpoint, if it has the usual form. */
function messageIn(body: string): string {
  return (
    /"message"\s*:\s*"((?:[^"\\]|\\.){1,200})/
      .exec(body)?.[1]
      ?.replaceAll(/\\[nrt]/g, " ")
      .replaceAll("\\", "") ?? ""
  );
}

/** Some endpoints repeat the key when they refuse it. */
function withoutKey(text: string, { apiKey }: Asked): string {
  return apiKey ? text.replaceAll(apiKey, "…") : text;
}

function sentence(text: string): string {
  const short = text.trim().slice(0, 200);
  return /[.!?…]$/.test(short) ? short : `${short}.`;
}
