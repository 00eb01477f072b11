import type { Context } from "hono";
import { InvalidMessageError, IrreducibleContextError, SessionBusyError, StoreError } from "throughline";
import { type RecognisedOverflow, recogniseOverflow } from "throughline/ai-sdk";
import { omitUndefined } from "throughline/internal";
import type { ServerEnv } from "../server-env.ts";
import { passOn, passRefusalOn, readRefusal, unreachable } from "./forward.ts";
import type { Outgoing, ProxyTurn } from "./proxy-turn.ts";
import { peekStream } from "./sniff-stream.ts";
import { hearAnswer, isEventStream } from "./tee-response.ts";
import type { Upstream } from "./upstream.ts";
import type { Wire } from "./wire/wire.ts";

/** A request on its way: the turn that it is, where it is one, and why it is not or is less than that. */
export interface Journey {
  readonly wire: Wire;
  readonly upstream: Upstream;
  /** As it came. */
  readonly bytes: ArrayBuffer | string;
  readonly turn?: ProxyTurn | undefined;
  readonly degraded?: string | undefined;
  readonly onError: (error: unknown) => void;
}

/** Sends a request on and passes the answer back: within the model's limit where it is a turn, else as it came. */
export async function answerTurn(journey: Journey, c: Context<ServerEnv>): Promise<Response> {
  const { turn } = journey;
  try {
    const first = await prepareFor(journey, c);
    const { heard, account } = await askWithinLimit(first, journey, c);
    const response = passBack(heard, journey, c);
    return withAccount(response, account, turn);
  } catch (error) {
    turn?.leave();
    throw error;
  }
}

function passBack(heard: Heard | undefined, journey: Journey, c: Context<ServerEnv>): Response {
  const { turn, upstream, wire, onError } = journey;
  if (heard?.head.ok) {
    const listener = turn && hearAnswer(turn, wire.reader(), isEventStream(heard.head), onError);
    return passOn(heard.head, heard.body, c, listener);
  }
  turn?.leave();
  return heard === undefined ? unreachable(upstream) : passRefusalOn(heard.head, heard.refusal, upstream, c);
}

interface Account {
  readonly outgoing?: Outgoing | undefined;
  readonly degraded?: string | undefined;
}

function accountOf(outgoing: Outgoing): Account {
  return outgoing.lacksMemory ? { outgoing, degraded: "memory" } : { outgoing };
}

/** What is to be sent. Where our own part fails, that is what came. */
async function prepareFor({ turn, degraded, onError }: Journey, { req }: Context<ServerEnv>): Promise<Account> {
  if (turn === undefined) return { degraded };
  try {
    return accountOf(await turn.prepare(req.raw.signal));
  } catch (error) {
    return { degraded: whyDegraded(error, req.raw.signal, onError) };
  }
}

/** What an upstream said, as far as it was read. */
interface Heard {
  readonly head: Response;
  readonly body: ReadableStream<Uint8Array> | null;
  readonly refusal: string;
  /** What was refused, as the upstream said it. */
  readonly failure: unknown;
}

/**
 * Where the upstream finds a window too long, the session learns its limit, and a smaller one is sent. That is done once;
 * and a second time where the first refusal counted the input alone and the next one counts the reply too.
 */
async function askWithinLimit(
  account: Account,
  journey: Journey,
  c: Context<ServerEnv>,
  before?: RecognisedOverflow,
): Promise<{ readonly heard: Heard | undefined; readonly account: Account }> {
  const heard = await ask(account.outgoing?.body ?? journey.bytes, journey, c);
  const refusal = heard && recogniseOverflow(heard.failure);
  if (refusal === undefined) return { heard, account };
  const isNews = before?.outputTokens === undefined && refusal.outputTokens !== undefined;
  const { outgoing, degraded } = await learnFrom(refusal, journey, c, before === undefined || isNews);
  if (outgoing === undefined) return { heard, account: { ...account, ...omitUndefined({ degraded }) } };
  await heard?.body?.cancel();
  return askWithinLimit(accountOf(outgoing), journey, c, refusal);
}

/** `undefined` where nobody is there, or goes away before anything was said. */
async function ask(
  body: ArrayBuffer | string,
  { upstream, wire, turn }: Journey,
  c: Context<ServerEnv>,
): Promise<Heard | undefined> {
  try {
    const head = await upstream.send(wire.path, c, body);
    if (!head.ok) {
      const refusal = await readRefusal(head);
      return { head, body: null, refusal, failure: { status: head.status, body: refusal } };
    }
    const isPlain = turn === undefined || head.body === null || !isEventStream(head);
    if (isPlain) return { head, body: head.body, refusal: "", failure: undefined };
    return { head, refusal: "", ...(await peekStream(head.body, wire.openings)) };
  } catch {
    return undefined;
  }
}

/** A smaller window, if another one may be sent and is possible. */
async function learnFrom(
  refusal: RecognisedOverflow,
  { turn, onError }: Journey,
  { req }: Context<ServerEnv>,
  mayAskAgain: boolean,
): Promise<Account> {
  try {
    const isPossible = await turn?.learn(refusal);
    return isPossible && mayAskAgain ? { outgoing: await turn?.prepare(req.raw.signal) } : {};
  } catch (error) {
    return { degraded: whyDegraded(error, req.raw.signal, onError) };
  }
}

/** In a word, for the one who asked; what is ours to look into is told. */
export function whyDegraded(error: unknown, signal: AbortSignal, onError: (error: unknown) => void): string {
  if (signal.aborted) return "aborted";
  if (error instanceof InvalidMessageError) return "unreadable";
  if (error instanceof IrreducibleContextError) return "irreducible";
  if (error instanceof SessionBusyError) return "busy";
  onError(error);
  return error instanceof StoreError ? "store" : "internal";
}

/** Says in the answer's head what was done to the request. */
function withAccount(response: Response, { outgoing, degraded }: Account, turn: ProxyTurn | undefined): Response {
  const { headers } = response;
  if (turn !== undefined) headers.set("x-throughline-session", turn.sessionId);
  if (outgoing !== undefined) {
    headers.set("x-throughline-compacted", String(outgoing.compacted));
    headers.set("x-throughline-receipt", outgoing.receiptId);
  }
  if (degraded !== undefined) headers.set("x-throughline-degraded", degraded);
  return response;
}
