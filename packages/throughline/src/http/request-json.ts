import { InvalidOptionError } from "../errors/input-errors.ts";
import { ModelError } from "../errors/model-errors.ts";
import { isRecord, stringField, tryParseJson } from "../internal/json.ts";
import { oneLine } from "../internal/text.ts";
import { pause } from "../ports/clock.ts";
import { type FetchReply, type ModelServer, readText, runtimeFetch } from "./model-server.ts";
import { redactSecrets } from "./redact-secrets.ts";

/** Far above the size of a real reply. */
const MAX_BYTES = 8 * 1024 * 1024;
const MAX_ERROR_BYTES = 64 * 1024;
/** Maximum characters of a server's error text. */
const MAX_ERROR_TEXT = 300;

/** Time limits of a request. */
export interface RequestLimits {
  readonly signal: AbortSignal;
  /** Deadline of all attempts in milliseconds since 1970. No retry starts that would wait beyond it. */
  readonly until: number;
}

type Outcome =
  | { readonly value: unknown }
  | { readonly error: ModelError; readonly isTemporary: boolean; readonly wait?: number | undefined };

/**
 * Sends JSON to a model server, or gets a resource if there is no body, and retries temporary failures.
 *
 * @throws ModelError with the server's error text or the cause of the failure.
 */
export async function requestJson(server: ModelServer, body: unknown, limits: RequestLimits): Promise<unknown> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  for (let tries = 0; ; tries += 1) {
    const outcome = await tryOnce(server, text, limits.signal);
    if ("value" in outcome) return outcome.value;
    const wait = outcome.wait ?? backoff(server.retryDelay, tries);
    const isHopeless = !outcome.isTemporary || tries >= server.maxRetries || Date.now() + wait >= limits.until;
    if (isHopeless || limits.signal.aborted) throw outcome.error;
    await pause(wait, limits.signal);
  }
}

async function tryOnce(server: ModelServer, body: string | undefined, signal: AbortSignal): Promise<Outcome> {
  const fetch = server.fetch ?? runtimeFetch();
  if (fetch === undefined)
    throw new InvalidOptionError("fetch", fetch, "a function, because this runtime has no fetch");
  try {
    const sent = body === undefined ? ({ method: "GET" } as const) : ({ method: "POST", body } as const);
    const request = { ...sent, headers: { ...server.headers }, redirect: "manual", signal } as const;
    const reply = await fetch(server.url, request);
    return await (reply.status >= 200 && reply.status < 300 ? readAnswer : readRefusal)(server, reply);
  } catch (cause) {
    // The thrown error may contain the request with its key, so only its redacted message is kept.
    const why = redactSecrets(reasonOf(cause), server.secrets);
    const error = new ModelError("unreachable", `${server.name} is unreachable: ${oneLine(why, MAX_ERROR_TEXT)}.`);
    return { error, isTemporary: true };
  }
}

/** Runtimes report `fetch failed` and hide the reason in `cause`. */
function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const { cause } = thrown;
  const below = isRecord(cause) ? (stringField(cause, "code") ?? stringField(cause, "message")) : undefined;
  return below === undefined ? thrown.message : `${thrown.message} (${below})`;
}

async function readAnswer(server: ModelServer, reply: FetchReply): Promise<Outcome> {
  const { text, isWhole } = await readText(reply, MAX_BYTES);
  if (!isWhole) {
    const mebibytes = MAX_BYTES / 1024 / 1024;
    return final(new ModelError("too-large", `${server.name} returned more than ${mebibytes} MiB.`, reply.status));
  }
  const parsed = tryParseJson(text);
  if (parsed === undefined) return final(new ModelError("wrong-answer", `${server.name} did not return JSON.`));
  // Some servers forward an error with a success status.
  const { value } = parsed;
  return isRecord(value) && isRecord(value.error) && value.choices === undefined
    ? refusal(server, text, typeof value.error.code === "number" ? value.error.code : 400)
    : { value };
}

async function readRefusal(server: ModelServer, reply: FetchReply): Promise<Outcome> {
  const { text } = await readText(reply, MAX_ERROR_BYTES);
  // Browsers hide the status of a redirect.
  if (reply.status < 400) {
    return final(
      new ModelError("redirected", `${server.name} redirects the request to another address.`, reply.status),
    );
  }
  return refusal(server, text, reply.status, retryAfter(reply, Date.now()));
}

function refusal(server: ModelServer, text: string, status: number, wait?: number): Outcome {
  const detail = errorTextIn(text, server.secrets);
  const waitNote = wait === undefined ? "" : ` Retry after ${Math.ceil(wait / 1_000)} s.`;
  const describe = (what: string) =>
    `${server.name} ${what} (${status})${detail === "" ? "." : `: ${detail}`}${waitNote}`;
  if (isTemporary(status)) {
    return {
      error: new ModelError("overloaded", describe("is overloaded or failing"), status),
      isTemporary: true,
      wait,
    };
  }
  if (status === 401 || status === 403)
    return final(new ModelError("key-refused", describe("rejected the API key"), status));
  return final(new ModelError("refused", describe("rejected the request"), status));
}

function final(error: ModelError): Outcome {
  return { error, isTemporary: false };
}

/** Extracts a readable error text from a response, without secrets. */
function errorTextIn(text: string, secrets: readonly string[]): string {
  const parsed = tryParseJson(text)?.value;
  const value = Array.isArray(parsed) ? parsed[0] : parsed;
  const sources = isRecord(value) ? [value.error, value] : [value];
  const detail = sources.flatMap(messagesOf)[0] ?? (parsed === undefined && !/^\s*</.test(text) ? text : "");
  return oneLine(redactSecrets(detail, secrets), MAX_ERROR_TEXT);
}

function messagesOf(source: unknown): string[] {
  if (typeof source === "string") return [source];
  if (!isRecord(source)) return [];
  return ["message", "detail"].flatMap((name) => stringField(source, name) ?? []);
}

/** True for a temporary failure: the server or a proxy is busy. */
function isTemporary(status: number): boolean {
  return status === 408 || status === 409 || status === 429 || status >= 500;
}

/** Delay that the server requests, in milliseconds: given in milliseconds, in seconds, or as a date. */
function retryAfter({ headers }: FetchReply, now: number): number | undefined {
  const inMilliseconds = readAmount(headers.get("retry-after-ms"));
  if (inMilliseconds !== undefined) return inMilliseconds;
  const header = headers.get("retry-after");
  const inSeconds = readAmount(header);
  if (inSeconds !== undefined) return inSeconds * 1_000;
  const at = Date.parse(header ?? "");
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

function readAmount(text: string | null): number | undefined {
  return text !== null && /^\s*\d{1,9}(?:\.\d{1,9})?\s*$/.test(text) ? Number(text) : undefined;
}

/** Exponential backoff with jitter. */
function backoff(first: number, tries: number): number {
  return first * 2 ** tries * (0.75 + Math.random() / 2);
}
