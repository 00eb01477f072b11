import type { APICallError } from "ai";
import { modelErrors } from "../../copy/models.ts";
import { ModelError, reasonOf } from "../model-error.ts";
import { isThisDevice } from "./address.ts";

/** The endpoint of a request. */
export interface EndpointRequest {
  readonly host: string;
  readonly modelId?: string;
  /** The key to redact from error messages. */
  readonly apiKey?: string;
}

const { endpoint: texts } = modelErrors;

/** Explains a failure of an endpoint to a person. */
export function explainEndpoint(error: unknown, request: EndpointRequest, hasBegun: boolean): ModelError {
  if (ModelError.isInstance(error)) return error;
  // The SDK wraps errors of `fetch`.
  if (error instanceof Error && ModelError.isInstance(error.cause)) return error.cause;
  if (hasBegun) return interruptedError(request.host, error);
  if (isApiCallError(error)) {
    const { statusCode, responseHeaders, responseBody } = error;
    // Some endpoints report an error with a status below 400.
    if (statusCode !== undefined && statusCode >= 400) {
      return explainStatus(
        { status: statusCode, retryAfter: responseHeaders?.["retry-after"], body: responseBody },
        request,
      );
    }
    return statusCode === undefined ? interruptedError(request.host, error) : invalidAnswer(request.host, error);
  }
  if (error instanceof Error && error.name.startsWith("AI_")) return invalidAnswer(request.host, error);
  const reason = withoutKey(reasonOf(error), request);
  return new ModelError("failed", texts.noReply(request.host, sentence(reason)));
}

/** Checked by name, because the SDK is loaded with the first model. */
function isApiCallError(error: unknown): error is APICallError {
  return error instanceof Error && error.name === "AI_APICallError";
}

export function explainStatus(
  {
    status,
    retryAfter,
    body = "",
  }: { readonly status: number; readonly retryAfter?: string | undefined; readonly body?: string | undefined },
  request: EndpointRequest,
): ModelError {
  const { host, modelId, apiKey } = request;
  if (status === 401 || status === 403) {
    return new ModelError("refused-key", apiKey ? texts.keyRejected(host) : texts.keyMissing(host));
  }
  if (status === 402) return new ModelError("busy", texts.noCredit(host));
  if (status === 404) return new ModelError("no-such-model", texts.notFound(host, modelId));
  if (status === 429) {
    const seconds = retryAfter !== undefined && /^\d+$/.test(retryAfter) ? retryAfter : undefined;
    return new ModelError("busy", texts.tooMany(host, seconds));
  }
  if (status === 413 || (status === 400 && /context|too long|too large|maximum.{0,20}tokens/i.test(body))) {
    return new ModelError("too-long", texts.tooLong(host));
  }
  if (status >= 500) return new ModelError("failed", texts.serverError(host, status));
  const detail = withoutKey(messageIn(body), request);
  return new ModelError("failed", texts.refused(host, status, detail === "" ? "" : sentence(detail)));
}

/** Browsers hide the reason: the server may be down, or may not allow requests of this page. */
export function unreachable(address: string, cause?: unknown): ModelError {
  const { host, protocol, origin } = new URL(address);
  const page = typeof location === "undefined" ? undefined : location;
  const own = page?.origin ?? texts.thisPage;
  if (typeof navigator !== "undefined" && navigator.onLine === false && !isThisDevice(address)) {
    return new ModelError("unreachable", texts.offline, { cause });
  }
  if (page?.protocol === "https:" && protocol === "http:" && !isThisDevice(address)) {
    return new ModelError("unreachable", texts.needsHttps(host), { cause });
  }
  if (origin === page?.origin) return new ModelError("unreachable", texts.ownServer(host), { cause });
  const ollama = host.endsWith(":11434") ? texts.allowOllama(own) : "";
  return new ModelError("unreachable", `${texts.unreachable(host, own)}${ollama}`, { cause });
}

export function invalidAnswer(host: string, cause?: unknown): ModelError {
  return new ModelError("broken-answer", texts.invalid(host), { cause });
}

export function timeoutError(host: string, seconds: number, hasBegun: boolean): ModelError {
  return new ModelError("silent", (hasBegun ? texts.wentSilent : texts.silent)(host, seconds));
}

function interruptedError(host: string, cause: unknown): ModelError {
  return new ModelError("broken-answer", texts.lost(host), { cause });
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
function withoutKey(text: string, { apiKey }: EndpointRequest): string {
  return apiKey ? text.replaceAll(apiKey, "…") : text;
}

function sentence(text: string): string {
  const short = text.trim().slice(0, 200);
  return /[.!?…]$/.test(short) ? short : `${short}.`;
}
