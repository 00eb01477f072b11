import type { Context } from "hono";
import { countTokens, type Message, type SessionOptions } from "throughline";
import {
  isRecord,
  type JsonRecord,
  omitUndefined,
  parseJsonYielding,
  yieldToEventLoop,
} from "throughline/internal/util";
import type { ServerEnv } from "../server-env.ts";
import { createSession, seenSessions, userSpace } from "../session-access.ts";
import { type ProxiedRequest, whyDegraded } from "./answer-turn.ts";
import type { SharedParts } from "./create-proxy.ts";
import { countDefinitions, ProxyTurn, type TurnPorts, type TurnRequest, withinStoreWait } from "./proxy-turn.ts";
import { SessionIndex } from "./sessions/session-index.ts";
import { settingsFor } from "./sessions/session-settings.ts";
import type { Upstream } from "./upstream/upstream.ts";
import { type Wire, wireProblem } from "./wire/wire.ts";

/**
 * Maximum characters of one text: several times the largest context window, and few enough to read without blocking the
 * server.
 */
const MAX_TEXT = 8_000_000;
/** Maximum messages of one request: more than agents send, and few enough to process without blocking the server. */
const MAX_MESSAGES = 10_000;
const SESSION_NAME = /^[\x21-\x7e]{1,200}$/;

/** Finds the session of a request and appends its new messages. If that fails, the request is forwarded unchanged. */
export async function beginTurn(
  sent: SentBody,
  wire: Wire,
  upstream: Upstream,
  proxy: SharedParts,
  c: Context<ServerEnv>,
): Promise<ProxiedRequest | Response> {
  const { onError } = proxy;
  const request: ProxiedRequest = { wire, upstream, bytes: sent.bytes, onError };
  const name = c.req.header("x-throughline-session");
  if (name !== undefined && !SESSION_NAME.test(name)) {
    const detail = "Invalid X-Throughline-Session: expected 1 to 200 visible ASCII characters.";
    return wireProblem(wire.family, 400, "bad-request", detail);
  }
  // The Studio stores its conversations in the browser and builds its windows there.
  if (name === undefined && isOwnPage(c)) return request;
  try {
    return { ...request, ...(await findTurn(sent, request, name, proxy, c)) };
  } catch (error) {
    return { ...request, degraded: whyDegraded(error, c.req.raw.signal, onError) };
  }
}

async function findTurn(
  { bytes, json }: SentBody,
  { wire, upstream }: ProxiedRequest,
  name: string | undefined,
  proxy: SharedParts,
  c: Context<ServerEnv>,
): Promise<Pick<ProxiedRequest, "turn" | "degraded">> {
  if (json === undefined) return { degraded: "unreadable" };
  // The list of messages has a different name in each API.
  const isTooLong = (field: unknown) => Array.isArray(field) && field.length > MAX_MESSAGES;
  if (Object.values(json.body).some(isTooLong)) return { degraded: "too-many-messages" };
  const conversation = wire.read(json.body);
  if (conversation.unknown !== undefined) return { degraded: conversation.unknown };
  if (conversation.messages.some(hasTooLongText)) return { degraded: "text-too-long" };
  if (conversation.messages.length === 0 && conversation.previous === undefined) return {};
  const { maxTokens } = conversation;
  const modelId = conversation.modelId || "unknown";
  const { contextLimit, isGuess } = await proxy.limits.find(modelId, json.text.length, upstream, c);
  const learnLimit = (limit: number) => isGuess && proxy.limits.learn(modelId, limit, upstream, c);
  const withMemory = wantsMemory(c.req.header("x-throughline-memory"), proxy.memory);
  const fixedTokens = () => countTokens(conversation.system) + countDefinitions(conversation);
  const limits = { modelId, contextLimit, maxTokens, fixedTokens };
  const settings = settingsFor(limits, withMemory && proxy.onAppend === undefined);
  const request = { wire, conversation, bytes, ...json, settings, isGuess, name, withMemory };
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
    // If it succeeds after the timeout, release the session for the next request.
    begun.then((turn) => turn?.leave()).catch(() => undefined);
    throw error;
  }
}

function portsFor(proxy: SharedParts, options: SessionOptions, c: Context<ServerEnv>): Omit<TurnPorts, "learnLimit"> {
  const { documents, inFlight, cache, maxStoreWait, maxModelWait, onAppend, onError } = proxy;
  const { caller, throughline } = c.var;
  const { userId, projectId } = caller;
  const place = { documents, userId, projectId, throughline };
  return {
    throughline,
    maxStoreWait,
    maxModelWait,
    sessionIndex: new SessionIndex(documents, { space: userSpace(userId), projectId }, cache),
    claim: (sessionId) => inFlight.take(userId, sessionId),
    release: (sessionId) => inFlight.release(userId, sessionId),
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

/** True for requests of the Studio. Pages of other sites are rejected earlier, and programs send neither header. */
function isOwnPage({ req }: Context<ServerEnv>): boolean {
  return req.header("origin") !== undefined || req.header("sec-fetch-site") !== undefined;
}

function wantsMemory(header: string | undefined, otherwise: boolean): boolean {
  if (header === undefined) return otherwise;
  return /^(on|true|1|yes)$/i.test(header.trim());
}

/** The body to forward, and its parsed content if it is valid. */
interface SentBody {
  readonly bytes: ArrayBuffer | string;
  readonly json?: { readonly text: string; readonly body: JsonRecord };
}

/**
 * Reads a request. If it names no model, the offered one is added; otherwise the body stays unchanged. `named` is the
 * model in the path. Other tasks can run while a long body is parsed.
 */
export async function readRequest(
  bytes: ArrayBuffer,
  { family, model }: Upstream,
  named?: string,
): Promise<SentBody | Response> {
  await yieldToEventLoop();
  const text = new TextDecoder().decode(bytes);
  await yieldToEventLoop();
  const body = await parseJsonYielding(text).catch(() => undefined);
  const json = isRecord(body) ? { text, body } : undefined;
  if (named !== undefined && model !== undefined && named !== model) return modelNotOffered(family, model);
  if (model === undefined || named !== undefined || (json !== undefined && json.body.model === model)) {
    return json === undefined ? { bytes } : { bytes, json };
  }
  if (json === undefined) return wireProblem(family, 400, "bad-request", "Invalid body: expected a JSON object.");
  if (json.body.model !== undefined) return modelNotOffered(family, model);
  const withModel = { ...json.body, model };
  const written = JSON.stringify(withModel);
  return { bytes: written, json: { text: written, body: withModel } };
}

export function modelNotOffered(family: Upstream["family"], model: string): Response {
  return wireProblem(
    family,
    404,
    "model-not-offered",
    `The requested model is not available: this server offers only ${model}. Request that model.`,
  );
}
