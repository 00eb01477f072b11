import { type Context, Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { yieldToEventLoop } from "../../internal/yield-to-event-loop.ts";
import { limitBody } from "../gate/limit-body.ts";
import type { ServerEnv } from "../server-env.ts";
import { answerTurn } from "./answer-turn.ts";
import { beginTurn } from "./begin-turn.ts";
import { passOn, passRefusalOn, readRefusal, unreachable } from "./pass-on.ts";
import { type ProxyOptions, readOptions, type SharedParts } from "./proxy-options.ts";
import { readRequest } from "./read-request.ts";
import { settingOf, type Upstream } from "./upstream.ts";
import { chatWire } from "./wire/chat-wire.ts";
import { messagesWire } from "./wire/messages-wire.ts";
import { responsesWire } from "./wire/responses-wire.ts";
import type { Wire } from "./wire/wire.ts";
import { wireProblem } from "./wire-problem.ts";

const MOST_BYTES = 32 * 1024 * 1024;
const ADDRESSES =
  "Here are only GET /v1/models and POST /v1/chat/completions, /v1/responses, /v1/messages and /v1/messages/count_tokens.";

/**
 * Models behind this server, in the forms of OpenAI and Anthropic: every conversation that goes through it becomes a
 * session, and fits. To be mounted at `/v1`, behind the gate.
 *
 * @example
 * app.route("/v1", createProxy({ model: { url: "http://127.0.0.1:11434/v1" }, documents: store.documents }));
 */
export function createProxy(options: ProxyOptions): Hono<ServerEnv> {
  const proxy = readOptions(options);
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
  app.get("/models", (c) => {
    const family = modelsFamily(proxy, c);
    return onUpstream(proxy, family, (to) =>
      to.model === undefined ? passThrough(to, "models", c) : onlyModel(to.model),
    );
  });
  return app.all("*", () => {
    if (proxy.upstreams.openai ?? proxy.upstreams.anthropic) return wireProblem("openai", 404, "not-found", ADDRESSES);
    return noModel("openai");
  });
}

async function takeTurn(proxy: SharedParts, wire: Wire, to: Upstream, c: Context<ServerEnv>): Promise<Response> {
  const sent = readRequest(await c.req.arrayBuffer(), to);
  if (sent instanceof Response) return sent;
  await yieldToEventLoop();
  const journey = await beginTurn(sent, wire, to, proxy, c);
  return journey instanceof Response ? journey : answerTurn(journey, c);
}

/** What is asked goes into a session. */
function requireWriter(family: Wire["family"]) {
  return createMiddleware<ServerEnv>(async (c, next) => {
    if (c.var.caller.scopes.has("write")) return next();
    return wireProblem(family, 403, "forbidden", "This needs a token with the scope write.");
  });
}

function limitSize(family: Wire["family"]) {
  return limitBody(MOST_BYTES, (detail) => wireProblem(family, 413, "body-too-large", detail));
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
  const detail = `This server has no such model. Set ${settingOf(family)}_URL and start it again.`;
  return wireProblem(family, 404, "no-model", detail);
}

/** Both kinds of clients ask for models at one address: Anthropic's say their version. */
function modelsFamily({ upstreams }: SharedParts, { req }: Context<ServerEnv>): Wire["family"] {
  if (upstreams.anthropic === undefined) return "openai";
  return upstreams.openai === undefined || req.header("anthropic-version") !== undefined ? "anthropic" : "openai";
}

async function passThrough(
  upstream: Upstream,
  path: string,
  c: Context<ServerEnv>,
  body?: ArrayBuffer,
): Promise<Response> {
  try {
    const answer = await upstream.send(path, c, body);
    if (answer.ok) return passOn(answer, answer.body, c);
    return passRefusalOn(answer, await readRefusal(answer), upstream, c);
  } catch {
    return unreachable(upstream);
  }
}

/** As the upstream would list it. */
function onlyModel(id: string): Response {
  const data = [{ id, object: "model", created: 0, owned_by: "throughline" }];
  return Response.json({ object: "list", data }, { headers: { "cache-control": "no-store" } });
}
