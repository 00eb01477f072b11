import type { Context } from "hono";
import { countTokens, type Message, type SessionOptions } from "throughline";
import { omitUndefined } from "throughline/internal";
import type { ServerEnv } from "../server-env.ts";
import { createSession, seenSessions, userSpace } from "../session-access.ts";
import { type Journey, whyDegraded } from "./answer-turn.ts";
import type { SharedParts } from "./proxy-options.ts";
import { countDefinitions, ProxyTurn, type TurnPorts, type TurnRequest, withinStoreWait } from "./proxy-turn.ts";
import type { SentBody } from "./read-request.ts";
import { SessionBook } from "./session-index.ts";
import { settingsFor } from "./session-settings.ts";
import type { Upstream } from "./upstream.ts";
import type { Wire } from "./wire/wire.ts";
import { wireProblem } from "./wire-problem.ts";

/** Characters of one text: several times what any model takes, and few enough that reading it does not hold the server. */
const MAX_TEXT = 8_000_000;
/** Messages of one request: more than agents send, and few enough that a pass over them does not hold the server. */
const MAX_MESSAGES = 10_000;
const SESSION_NAME = /^[\x21-\x7e]{1,200}$/;

/** Finds the session of a request, and adds what is new in it. Where that cannot be done, the request goes as it came. */
export async function beginTurn(
  sent: SentBody,
  wire: Wire,
  upstream: Upstream,
  proxy: SharedParts,
  c: Context<ServerEnv>,
): Promise<Journey | Response> {
  const { onError } = proxy;
  const journey: Journey = { wire, upstream, bytes: sent.bytes, onError };
  const name = c.req.header("x-throughline-session");
  if (name !== undefined && !SESSION_NAME.test(name)) {
    const detail = "X-Throughline-Session takes 1 to 200 visible ASCII characters.";
    return wireProblem(wire.family, 400, "bad-request", detail);
  }
  // The Studio keeps its conversations in the browser, and makes its windows there.
  if (name === undefined && isOwnPage(c)) return journey;
  try {
    return { ...journey, ...(await findTurn(sent, journey, name, proxy, c)) };
  } catch (error) {
    return { ...journey, degraded: whyDegraded(error, c.req.raw.signal, onError) };
  }
}

async function findTurn(
  { bytes, json }: SentBody,
  { wire, upstream }: Journey,
  name: string | undefined,
  proxy: SharedParts,
  c: Context<ServerEnv>,
): Promise<Pick<Journey, "turn" | "degraded">> {
  if (json === undefined) return { degraded: "unreadable" };
  // Whatever the list of messages is called in this form.
  const isTooLong = (field: unknown) => Array.isArray(field) && field.length > MAX_MESSAGES;
  if (Object.values(json.body).some(isTooLong)) return { degraded: "too-many-messages" };
  const asked = wire.read(json.body);
  if (asked.unknown !== undefined) return { degraded: asked.unknown };
  if (asked.messages.some(hasTooLongText)) return { degraded: "text-too-long" };
  if (asked.messages.length === 0 && asked.previous === undefined) return {};
  const { maxTokens } = asked;
  const modelId = asked.modelId || "unknown";
  const { contextLimit, isGuess } = await proxy.limits.find(modelId, json.text.length, upstream, c);
  const learnLimit = (limit: number) => isGuess && proxy.limits.learn(modelId, limit, upstream, c);
  const withMemory = wantsMemory(c.req.header("x-throughline-memory"), proxy.memory);
  const fixedTokens = () => countTokens(asked.system) + countDefinitions(asked);
  const room = { modelId, contextLimit, maxTokens, fixedTokens };
  const settings = settingsFor(room, withMemory && proxy.onAppend === undefined);
  const request = { wire, asked, bytes, ...json, settings, isGuess, name, withMemory };
  const ports = portsFor(proxy, { ...settings, remember: withMemory }, c);
  const turn = await beginInTime(request, { ...ports, learnLimit });
  return turn === undefined ? { degraded: "unknown-response" } : { turn };
}

function hasTooLongText({ parts }: Message): boolean {
  return parts.some((part) => part.type === "text" && part.text.length > MAX_TEXT);
}

async function beginInTime(request: TurnRequest, ports: TurnPorts): Promise<ProxyTurn | undefined> {
  const begun = ProxyTurn.begin(request, ports);
  try {
    return await withinStoreWait(begun, ports.maxStoreWait);
  } catch (error) {
    // If it comes after all, the session is free for the next request.
    begun.then((turn) => turn?.leave()).catch(() => undefined);
    throw error;
  }
}

function portsFor(proxy: SharedParts, options: SessionOptions, c: Context<ServerEnv>): Omit<TurnPorts, "learnLimit"> {
  const { documents, claims, cache, maxStoreWait, maxModelWait, onAppend, onError } = proxy;
  const { caller, throughline } = c.var;
  const { userId, projectId } = caller;
  const place = { documents, userId, projectId, throughline };
  return {
    throughline,
    maxStoreWait,
    maxModelWait,
    book: new SessionBook(documents, { space: userSpace(userId), projectId }, cache),
    claim: (sessionId) => claims.take(userId, sessionId),
    release: (sessionId) => claims.release(userId, sessionId),
    isSeen: async (sessionId) => (await seenSessions(place, [{ sessionId }])).length > 0,
    async opened(sessionId) {
      const { modelId, contextLimit, outputReserve, remember } = options;
      await createSession(place, sessionId, omitUndefined({ modelId, contextLimit, outputReserve, remember }));
    },
    async appended(sessionId) {
      try {
        await onAppend?.(caller, sessionId, options);
      } catch (error) {
        onError(error);
      }
    },
  };
}

/** A page of this server's: pages of others do not come this far, and programs say neither. */
function isOwnPage({ req }: Context<ServerEnv>): boolean {
  return req.header("origin") !== undefined || req.header("sec-fetch-site") !== undefined;
}

function wantsMemory(header: string | undefined, otherwise: boolean): boolean {
  if (header === undefined) return otherwise;
  return /^(on|true|1|yes)$/i.test(header.trim());
}
