import type { Context } from "hono";
import { InvalidMessageError, IrreducibleContextError, SessionBusyError, StoreError } from "throughline";
import { parseOverflowError, type ReportedOverflow } from "throughline/ai-sdk";
import { omitUndefined } from "throughline/internal/util";
import type { ServerEnv } from "../server-env.ts";
import type { Outgoing, ProxyTurn } from "./proxy-turn.ts";
import { sniffStream } from "./upstream/event-stream.ts";
import {
  forwardRefusal,
  forwardResponse,
  isEventStream,
  readRefusal,
  teeResponse,
  unreachable,
} from "./upstream/forward.ts";
import type { Upstream } from "./upstream/upstream.ts";
import type { Wire } from "./wire/wire.ts";

/** An in-flight request. `turn` is set if the request was matched to a session; otherwise `degraded` has the reason. */
export interface ProxiedRequest {
  readonly wire: Wire;
  readonly upstream: Upstream;
  /** The original body. */
  readonly bytes: ArrayBuffer | string;
  readonly turn?: ProxyTurn | undefined;
  readonly degraded?: string | undefined;
  readonly onError: (error: unknown) => void;
}

/** Forwards a request and its response. A turn is sent within the model's limit, any other request unchanged. */
export async function answerTurn(request: ProxiedRequest, c: Context<ServerEnv>): Promise<Response> {
  const { turn } = request;
  try {
    const first = await prepareFor(request, c);
    const { upstreamReply, account } = await askWithinLimit(first, request, c);
    const response = forwardReply(upstreamReply, request, c);
    return withAccount(response, account, turn);
  } catch (error) {
    turn?.leave();
    throw error;
  }
}

function forwardReply(
  upstreamReply: UpstreamReply | undefined,
  request: ProxiedRequest,
  c: Context<ServerEnv>,
): Response {
  const { turn, upstream, wire, onError } = request;
  if (upstreamReply?.head.ok) {
    const listener = turn && teeResponse(turn, wire.reader(), isEventStream(upstreamReply.head), onError);
    return forwardResponse(upstreamReply.head, upstreamReply.body, c, listener);
  }
  turn?.leave();
  return upstreamReply === undefined
    ? unreachable(upstream)
    : forwardRefusal(upstreamReply.head, upstreamReply.refusal, upstream, c);
}

interface Account {
  readonly outgoing?: Outgoing | undefined;
  readonly degraded?: string | undefined;
}

function accountOf(outgoing: Outgoing): Account {
  return outgoing.lacksMemory ? { outgoing, degraded: "memory" } : { outgoing };
}

/** Prepares the body to send. If that fails, the original body is sent. */
async function prepareFor({ turn, degraded, onError }: ProxiedRequest, { req }: Context<ServerEnv>): Promise<Account> {
  if (turn === undefined) return { degraded };
  try {
    return accountOf(await turn.prepare(req.raw.signal));
  } catch (error) {
    return { degraded: whyDegraded(error, req.raw.signal, onError) };
  }
}

/** The response of an upstream, as far as it was read. */
interface UpstreamReply {
  readonly head: Response;
  readonly body: ReadableStream<Uint8Array> | null;
  readonly refusal: string;
  /** The error that the upstream reported. */
  readonly failure: unknown;
}

/**
 * Sends a request. If the upstream finds the window too long, the session learns the limit and a smaller window is
 * sent. This happens once, or twice if the first refusal counted only the input and the next one counts the reply too.
 */
async function askWithinLimit(
  account: Account,
  request: ProxiedRequest,
  c: Context<ServerEnv>,
  before?: ReportedOverflow,
): Promise<{ readonly upstreamReply: UpstreamReply | undefined; readonly account: Account }> {
  const upstreamReply = await ask(account.outgoing?.body ?? request.bytes, request, c);
  const refusal = upstreamReply && parseOverflowError(upstreamReply.failure);
  if (refusal === undefined) return { upstreamReply, account };
  const isNews = before?.outputTokens === undefined && refusal.outputTokens !== undefined;
  const { outgoing, degraded } = await learnFrom(refusal, request, c, before === undefined || isNews);
  if (outgoing === undefined) return { upstreamReply, account: { ...account, ...omitUndefined({ degraded }) } };
  await upstreamReply?.body?.cancel();
  return askWithinLimit(accountOf(outgoing), request, c, refusal);
}

/** Returns `undefined` if the upstream is unreachable, or the client disconnects before the response starts. */
async function ask(
  body: ArrayBuffer | string,
  { upstream, wire, turn }: ProxiedRequest,
  c: Context<ServerEnv>,
): Promise<UpstreamReply | undefined> {
  try {
    const head = await upstream.send(wire.path, c, body);
    if (!head.ok) {
      const refusal = await readRefusal(head);
      return { head, body: null, refusal, failure: { status: head.status, body: refusal } };
    }
    const isPlain = turn === undefined || head.body === null || !isEventStream(head);
    if (isPlain) return { head, body: head.body, refusal: "", failure: undefined };
    return { head, refusal: "", ...(await sniffStream(head.body, wire.openings)) };
  } catch {
    return undefined;
  }
}

/** A smaller window, if another attempt is allowed and possible. */
async function learnFrom(
  refusal: ReportedOverflow,
  { turn, onError }: ProxiedRequest,
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

/** The reason as one word for the client. Internal errors are reported. */
export function whyDegraded(error: unknown, signal: AbortSignal, onError: (error: unknown) => void): string {
  if (signal.aborted) return "aborted";
  if (error instanceof InvalidMessageError) return "unreadable";
  if (error instanceof IrreducibleContextError) return "irreducible";
  if (error instanceof SessionBusyError) return "busy";
  onError(error);
  return error instanceof StoreError ? "store" : "internal";
}

/** Adds headers that describe the changes to the request. */
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
