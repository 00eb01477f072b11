import { InvalidOptionError } from "../errors/invalid-option-error.ts";
import { ModelError } from "../errors/model-error.ts";
import { isRecord, stringField, tryParseJson } from "../internal/json.ts";
import { oneLine } from "../internal/one-line.ts";
import { runInTime } from "../ports/run-in-time.ts";
import { type FetchReply, readText, runtimeFetch } from "./fetch-like.ts";
import { hideSecrets } from "./hide-secrets.ts";
import type { ModelServer } from "./model-server.ts";
import { backoff, mayPass, retryAfter } from "./retry-delay.ts";

/** Far more than a model writes. */
const MAX_BYTES = 8 * 1024 * 1024;
const MAX_ERROR_BYTES = 64 * 1024;
/** Characters of what a server says of an error. */
const MAX_SAID = 300;

/** How long a server is asked. */
export interface AskLimits {
  readonly signal: AbortSignal;
  /** When all tries have to be over, in milliseconds since 1970: none is begun that would wait beyond it. */
  readonly until: number;
}

type Outcome =
  | { readonly value: unknown }
  | { readonly error: ModelError; readonly mayPass: boolean; readonly wait?: number | undefined };

/**
 * Sends JSON to a model's server until it answers or there is no hope.
 *
 * @throws ModelError with what the server said, or what came between.
 */
export async function postJson(server: ModelServer, body: unknown, limits: AskLimits): Promise<unknown> {
  const text = JSON.stringify(body);
  for (let tries = 0; ; tries += 1) {
    const outcome = await tryOnce(server, text, limits.signal);
    if ("value" in outcome) return outcome.value;
    const wait = outcome.wait ?? backoff(server.retryDelay, tries);
    const isHopeless = !outcome.mayPass || tries >= server.maxRetries || Date.now() + wait >= limits.until;
    if (isHopeless || limits.signal.aborted) throw outcome.error;
    await pause(wait, limits.signal);
  }
}

/** Work that never ends is given up when the time is over, or when it is stopped. */
async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await runInTime("the pause", () => new Promise<never>(() => undefined), { timeLimit: milliseconds, signal });
}

async function tryOnce(server: ModelServer, body: string, signal: AbortSignal): Promise<Outcome> {
  const fetch = server.fetch ?? runtimeFetch();
  if (fetch === undefined) throw new InvalidOptionError("fetch", fetch, "a function: this runtime has none of its own");
  try {
    const request = { method: "POST", headers: { ...server.headers }, body, redirect: "manual", signal } as const;
    const reply = await fetch(server.url, request);
    return await (reply.status >= 200 && reply.status < 300 ? readAnswer : readRefusal)(server, reply);
  } catch (cause) {
    // What was thrown may hold the request and its key: only its words are kept, without them.
    const why = hideSecrets(reasonOf(cause), server.secrets);
    const error = new ModelError("unreachable", `${server.name} could not be reached: ${oneLine(why, MAX_SAID)}.`);
    return { error, mayPass: true };
  }
}

/** Runtimes say `fetch failed` and hide the reason below it. */
function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const { cause } = thrown;
  const below = isRecord(cause) ? (stringField(cause, "code") ?? stringField(cause, "message")) : undefined;
  return below === undefined ? thrown.message : `${thrown.message} (${below})`;
}

async function readAnswer(server: ModelServer, reply: FetchReply): Promise<Outcome> {
  const { text, isWhole } = await readText(reply, MAX_BYTES);
  if (!isWhole) {
    const most = MAX_BYTES / 1024 / 1024;
    return final(new ModelError("too-large", `${server.name} answered with more than ${most} MiB.`, reply.status));
  }
  const parsed = tryParseJson(text);
  if (parsed === undefined) return final(new ModelError("wrong-answer", `${server.name} did not answer in JSON.`));
  // Some forward an error of theirs under a status that says that all is well.
  const { value } = parsed;
  return isRecord(value) && isRecord(value.error) && value.choices === undefined
    ? refusal(server, text, typeof value.error.code === "number" ? value.error.code : 400)
    : { value };
}

async function readRefusal(server: ModelServer, reply: FetchReply): Promise<Outcome> {
  const { text } = await readText(reply, MAX_ERROR_BYTES);
  // Browsers do not tell the status of an answer that points elsewhere.
  if (reply.status < 400) {
    return final(new ModelError("redirected", `${server.name} points to another address.`, reply.status));
  }
  return refusal(server, text, reply.status, retryAfter(reply, Date.now()));
}

function refusal(server: ModelServer, text: string, status: number, wait?: number): Outcome {
  const said = sentenceIn(text, server.secrets);
  const asked = wait === undefined ? "" : ` It asks to wait ${Math.ceil(wait / 1_000)} s.`;
  const tell = (what: string) => `${server.name} ${what} (${status})${said === "" ? "." : `: ${said}`}${asked}`;
  if (mayPass(status)) {
    return { error: new ModelError("overloaded", tell("is overloaded or failing"), status), mayPass: true, wait };
  }
  if (status === 401 || status === 403) return final(new ModelError("key-refused", tell("refused the key"), status));
  return final(new ModelError("refused", tell("refused the request"), status));
}

function final(error: ModelError): Outcome {
  return { error, mayPass: false };
}

/** What a server says of an error, as far as it can be read by a person, and without secrets. */
function sentenceIn(text: string, secrets: readonly string[]): string {
  const parsed = tryParseJson(text)?.value;
  const value = Array.isArray(parsed) ? parsed[0] : parsed;
  const sources = isRecord(value) ? [value.error, value] : [value];
  const said = sources.flatMap(messagesOf)[0] ?? (parsed === undefined && !/^\s*</.test(text) ? text : "");
  return oneLine(hideSecrets(said, secrets), MAX_SAID);
}

function messagesOf(source: unknown): string[] {
  if (typeof source === "string") return [source];
  if (!isRecord(source)) return [];
  return ["message", "detail"].flatMap((name) => stringField(source, name) ?? []);
}
