import { type Context, Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { inProcessStore, type SessionOptions } from "throughline";
import type { DocumentStore } from "throughline/internal/sql";
import { omitUndefined, yieldToEventLoop } from "throughline/internal/util";
import { limitBody } from "../middleware/request-limits.ts";
import type { Caller, ServerEnv } from "../server-env.ts";
import { answerTurn } from "./answer-turn.ts";
import { beginTurn, modelNotOffered, readRequest } from "./begin-turn.ts";
import type { SessionIndexCache } from "./sessions/session-index.ts";
import { forwardRefusal, forwardResponse, readRefusal, unreachable } from "./upstream/forward.ts";
import { settingOf, Upstream, type Upstreams } from "./upstream/upstream.ts";
import { UpstreamLimits } from "./upstream/upstream-limits.ts";
import { chatWire } from "./wire/chat-wire.ts";
import { geminiWire } from "./wire/gemini-wire.ts";
import { messagesWire } from "./wire/messages-wire.ts";
import { responsesWire } from "./wire/responses-wire.ts";
import { type Wire, wireProblem } from "./wire/wire.ts";

const MAX_BYTES = 32 * 1024 * 1024;
const ADDRESSES =
  "Unknown route. The proxy supports GET /v1/models and /v1/models/{id}, and POST /v1/chat/completions, /v1/responses, /v1/messages and /v1/messages/count_tokens.";
const GEMINI_ADDRESSES =
  "Unknown route. The proxy supports GET /v1beta/models and /v1beta/models/{id}, and POST /v1beta/models/{id}:generateContent, :streamGenerateContent and :countTokens.";

/**
 * Creates the model proxy: OpenAI and Anthropic APIs at `/v1`, Gemini at `/v1beta`. Each conversation becomes a session
 * and fits the context window. Mount it at `/`, after the authentication middleware.
 *
 * @param options the upstreams and where to store which conversation belongs to which session
 * @example
 * app.route("/", createProxy({ upstreams: { openai: { url: "http://127.0.0.1:11434/v1" } }, documents: store.documents }));
 */
export function createProxy(options: ProxyOptions): Hono<ServerEnv> {
  const proxy = readOptions(options);
  return new Hono<ServerEnv>().route("/v1", firstVersion(proxy)).route("/v1beta", geminiVersion(proxy));
}

function firstVersion(proxy: SharedParts): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  for (const wire of [chatWire, responsesWire, messagesWire]) {
    app.post(`/${wire.path}`, requireWriter(wire.family), limitSize(wire.family), (c) =>
      onUpstream(proxy, wire.family, (to) => takeTurn(proxy, wire, to, c)),
    );
  }
  app.post("/messages/count_tokens", limitSize("anthropic"), (c) =>
    onUpstream(proxy, "anthropic", async (to) =>
      passThrough(to, "messages/count_tokens", c, await c.req.arrayBuffer()),
    ),
  );
  app.get("/models", (c) => onUpstream(proxy, modelsFamily(proxy, c), (to) => listModels(to, c)));
  app.use("/models/:id{.+}", stayAmongModels("openai"));
  app.get("/models/:id{.+}", (c) => onUpstream(proxy, modelsFamily(proxy, c), (to) => findModel(to, c)));
  app.get("/responses", (c, next) => (isWebSocket(c) ? refuseWebSocket() : next()));
  return app.all("*", () => {
    if (proxy.upstreams.openai ?? proxy.upstreams.anthropic) return wireProblem("openai", 404, "not-found", ADDRESSES);
    return noModel("openai");
  });
}

function geminiVersion(proxy: SharedParts): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  app.get("/models", (c) => onUpstream(proxy, "gemini", (to) => listModels(to, c)));
  app.use("/models/:id{.+}", stayAmongModels("gemini"));
  app.get("/models/:id{.+}", (c) => onUpstream(proxy, "gemini", (to) => findModel(to, c)));
  app.post("/models/:call{.+:countTokens}", limitSize("gemini"), (c) =>
    onUpstream(proxy, "gemini", async (to) => passThrough(to, pathOf(c), c, await c.req.arrayBuffer())),
  );
  app.post(
    "/models/:call{.+:(?:generateContent|streamGenerateContent)}",
    requireWriter("gemini"),
    limitSize("gemini"),
    (c) =>
      onUpstream(proxy, "gemini", (to) => {
        const modelId = c.req.param("call").replace(/:[^:]*$/, "");
        return takeTurn(proxy, geminiWire({ modelId, path: pathOf(c) }), to, c, modelId);
      }),
  );
  return app.all("*", () =>
    onUpstream(proxy, "gemini", () => wireProblem("gemini", 404, "not-found", GEMINI_ADDRESSES)),
  );
}

/** `named` is the model in the path, if there is one. */
async function takeTurn(
  proxy: SharedParts,
  wire: Wire,
  to: Upstream,
  c: Context<ServerEnv>,
  named?: string,
): Promise<Response> {
  const sent = await readRequest(await c.req.arrayBuffer(), to, named);
  if (sent instanceof Response) return sent;
  await yieldToEventLoop();
  const request = await beginTurn(sent, wire, to, proxy, c);
  return request instanceof Response ? request : answerTurn(request, c);
}

/** Requires write access, because the request is stored in a session. */
function requireWriter(family: Wire["family"]) {
  return createMiddleware<ServerEnv>(async (c, next) => {
    if (c.var.caller.scopes.has("write")) return next();
    return wireProblem(family, 403, "forbidden", "This token lacks the scope write. Use a token that has it.");
  });
}

function limitSize(family: Wire["family"]) {
  return limitBody(MAX_BYTES, (detail) => wireProblem(family, 413, "body-too-large", detail));
}

function onUpstream(
  { upstreams }: SharedParts,
  family: Wire["family"],
  ask: (upstream: Upstream) => Response | Promise<Response>,
): Response | Promise<Response> {
  const upstream = upstreams[family];
  return upstream === undefined ? noModel(family) : ask(upstream);
}

function noModel(family: Wire["family"]): Response {
  const detail = `No upstream is configured for this API. Set ${settingOf(family)}_URL and restart the server.`;
  return wireProblem(family, 404, "no-model", detail);
}

/** OpenAI and Anthropic clients list models at the same path; Anthropic's send their version header. */
function modelsFamily({ upstreams }: SharedParts, { req }: Context<ServerEnv>): Wire["family"] {
  if (upstreams.anthropic === undefined) return "openai";
  return upstreams.openai === undefined || req.header("anthropic-version") !== undefined ? "anthropic" : "openai";
}

/** Path segments that a server might decode again and use to leave its list of models. */
const LEADS_OUT = /(^|[/\\])\.\.?([/\\]|$)/;

function stayAmongModels(family: Wire["family"]) {
  return createMiddleware<ServerEnv>(async (c, next) => {
    const path = pathOf(c);
    if (path.startsWith("models/") && !LEADS_OUT.test(decoded(path))) return next();
    return wireProblem(family, 404, "not-found", family === "gemini" ? GEMINI_ADDRESSES : ADDRESSES);
  });
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

async function passThrough(
  upstream: Upstream,
  path: string,
  c: Context<ServerEnv>,
  body?: ArrayBuffer,
): Promise<Response> {
  try {
    const answer = await upstream.send(path, c, body);
    if (answer.ok) return forwardResponse(answer, answer.body, c);
    return forwardRefusal(answer, await readRefusal(answer), upstream, c);
  } catch {
    return unreachable(upstream);
  }
}

/** Codex first tries a WebSocket at the same address; after this status it uses plain HTTP. */
function refuseWebSocket(): Response {
  const detail = "WebSocket is not supported here. Send a POST request.";
  const refusal = wireProblem("openai", 426, "websocket-unsupported", detail);
  refusal.headers.set("connection", "Upgrade");
  refusal.headers.set("upgrade", "HTTP/1.1");
  return refusal;
}

function isWebSocket({ req }: Context<ServerEnv>): boolean {
  return /\bwebsocket\b/i.test(req.header("upgrade") ?? "");
}

const NOT_STORED = { headers: { "cache-control": "no-store" } };

function listModels(upstream: Upstream, c: Context<ServerEnv>): Response | Promise<Response> {
  const { family, model } = upstream;
  if (model === undefined) return passThrough(upstream, "models", c);
  const data = [onlyModel(family, model)];
  return Response.json(family === "gemini" ? { models: data } : { object: "list", data }, NOT_STORED);
}

function findModel(upstream: Upstream, c: Context<ServerEnv>): Response | Promise<Response> {
  const { family, model } = upstream;
  if (model === undefined) return passThrough(upstream, pathOf(c), c);
  if (c.req.param("id") === model) return Response.json(onlyModel(family, model), NOT_STORED);
  return modelNotOffered(family, model);
}

/** The path after the version, still encoded: an id may contain a slash, encoded or not. */
function pathOf({ req }: Context<ServerEnv>): string {
  return new URL(req.url).pathname.replace(/^\/v1(beta)?\//, "");
}

/** The model in the upstream's own format. */
function onlyModel(family: Wire["family"], id: string): object {
  if (family === "gemini") return { name: `models/${id}`, supportedGenerationMethods: ["generateContent"] };
  return { id, object: "model", created: 0, owned_by: "throughline" };
}

export interface ProxyOptions {
  readonly upstreams?: Upstreams | undefined;
  /** Stores which conversation belongs to which session. Default: in memory. */
  readonly documents?: DocumentStore | undefined;
  /** Adds memories after the system prompt, unless a request turns this off. */
  readonly memory?: boolean | undefined;
  /** Context windows by model id or prefix, overriding the built-in ones. */
  readonly contextLimits?: Readonly<Record<string, number>> | undefined;
  /**
   * Called after messages were appended to a session, with the options it is opened with. The callee also extracts
   * memories if `remember` is set; without a callback, the session does it itself.
   */
  readonly onAppend?: (caller: Caller, sessionId: string, options: SessionOptions) => Promise<void> | void;
  /** Milliseconds to wait for the store before a request or response is forwarded without it (default 10,000). */
  readonly maxStoreWait?: number | undefined;
  /**
   * Milliseconds that preparing a request may take beyond `maxStoreWait` while a model writes a summary or embeds a
   * query (default 60,000). After that, the request is forwarded unchanged.
   */
  readonly maxModelWait?: number | undefined;
  /** Called with internal errors. */
  readonly onError?: (error: unknown) => void;
}

/** A request takes milliseconds; a locked database may take longer than a client waits. */
const DEFAULT_STORE_WAIT = 10_000;
/** A summary may take 30 seconds. */
const DEFAULT_MODEL_WAIT = 60_000;

/** Shared by all requests. */
export interface SharedParts {
  readonly upstreams: Readonly<Partial<Record<Wire["family"], Upstream>>>;
  readonly documents: DocumentStore;
  readonly memory: boolean;
  readonly limits: UpstreamLimits;
  readonly inFlight: InFlightSessions;
  readonly cache: SessionIndexCache;
  readonly maxStoreWait: number;
  readonly maxModelWait: number;
  readonly onAppend: ProxyOptions["onAppend"];
  readonly onError: (error: unknown) => void;
}

/** @throws InvalidOptionError if an upstream is invalid */
function readOptions(options: ProxyOptions): SharedParts {
  const {
    upstreams: { openai, anthropic, gemini } = {},
    documents,
    memory,
    contextLimits,
    onAppend,
    onError,
  } = options;
  const { maxStoreWait = DEFAULT_STORE_WAIT, maxModelWait = DEFAULT_MODEL_WAIT } = options;
  return {
    upstreams: omitUndefined({
      openai: openai && new Upstream("openai", openai),
      anthropic: anthropic && new Upstream("anthropic", anthropic),
      gemini: gemini && new Upstream("gemini", gemini),
    }),
    documents: documents ?? inProcessStore().documents,
    memory: memory ?? false,
    limits: new UpstreamLimits(contextLimits),
    inFlight: new InFlightSessions(),
    cache: { queues: new Map(), seeds: new Map() },
    maxStoreWait,
    maxModelWait,
    onAppend,
    onError: (error) => report(error, onError),
  };
}

/** Reports an error. A failing logger must not affect the response. */
function report(error: unknown, onError: ProxyOptions["onError"]): void {
  try {
    onError?.(error);
  } catch {
    // Nothing left to report to.
  }
}

/** Sessions with a request in flight. */
class InFlightSessions {
  readonly #taken = new Set<string>();

  /** Returns `false` if another request has the session. */
  take(userId: string, sessionId: string): boolean {
    const name = nameOf(userId, sessionId);
    if (this.#taken.has(name)) return false;
    this.#taken.add(name);
    return true;
  }

  release(userId: string, sessionId: string): void {
    this.#taken.delete(nameOf(userId, sessionId));
  }
}

function nameOf(userId: string, sessionId: string): string {
  return JSON.stringify([userId, sessionId]);
}
