import { APICallError } from "ai";
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

/** What an endpoint's failure means, in words for a person. */
export function explainEndpoint(error: unknown, asked: Asked, hasBegun: boolean): ModelError {
  if (ModelError.isInstance(error)) return error;
  // The SDK wraps what a fetch throws for the network's sake.
  if (error instanceof Error && ModelError.isInstance(error.cause)) return error.cause;
  if (hasBegun) return brokeOff(asked.host, error);
  if (APICallError.isInstance(error)) {
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
  return new ModelError("failed", `${asked.host} could not answer: ${sentence(reason)} ${SAFE}`);
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
    const what = apiKey ? "did not accept the key" : "asks for a key";
    return new ModelError("refused-key", `${host} ${what}. ${SAFE} Edit the endpoint and enter the key again.`);
  }
  if (status === 402) {
    return new ModelError(
      "busy",
      `${host} says that the account has no credit left. ${SAFE} Add credit there, or choose another model.`,
    );
  }
  if (status === 404) {
    const what =
      modelId === undefined ? "has no list of models at this address" : `does not know "${modelId}" at this address`;
    return new ModelError(
      "no-such-model",
      `${host} ${what}. ${SAFE} Check the address, which mostly ends in /v1, and the model's name.`,
    );
  }
  if (status === 429) {
    const wait =
      retryAfter && /^\d+$/.test(retryAfter) ? `Wait ${retryAfter} s and try again` : "Wait a moment and try again";
    return new ModelError(
      "busy",
      `${host} has had too many requests, or your limit there is used up. ${SAFE} ${wait}.`,
    );
  }
  if (status === 413 || (status === 400 && /context|too long|too large|maximum.{0,20}tokens/i.test(body))) {
    return new ModelError(
      "too-long",
      `This conversation is longer than the model at ${host} takes. ${SAFE} Enter a smaller context size for the endpoint.`,
    );
  }
  if (status >= 500) {
    return new ModelError("failed", `${host} has a problem of its own (${status}). ${SAFE} Try again in a moment.`);
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
  const what = `${host} cannot be reached from this page. ${SAFE}`;
  if (page?.protocol === "https:" && protocol === "http:" && !isThisDevice(address)) {
    return new ModelError("unreachable", `${what} A page with https may only ask addresses with https.`, { cause });
  }
  const ollama = host.endsWith(":11434") ? ` Ollama does when it is started with OLLAMA_ORIGINS=${own}.` : "";
  const check = `Check that it is running and that it lets ${own} ask it (CORS).`;
  return new ModelError("unreachable", `${what} ${check}${ollama}`, { cause });
}

export function notAnAnswer(host: string, cause?: unknown): ModelError {
  return new ModelError(
    "broken-answer",
    `What ${host} sent is not a model's answer. ${SAFE} Check that the address is one that speaks as OpenAI's does.`,
    { cause },
  );
}

export function silence(host: string, seconds: number, hasBegun: boolean): ModelError {
  return hasBegun
    ? new ModelError(
        "silent",
        `The model at ${host} broke off and was silent for ${seconds} s. What it said is kept; try again.`,
      )
    : new ModelError(
        "silent",
        `The model at ${host} did not answer in ${seconds} s. ${SAFE} Try again, or choose another model.`,
      );
}

function brokeOff(host: string, cause: unknown): ModelError {
  return new ModelError("broken-answer", `The answer of ${host} broke off. What it said is kept; try again.`, {
    cause,
  });
}

/** What an endpoint itself says, where it says it as most do. */
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
