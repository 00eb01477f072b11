import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { answerMessages } from "./anthropic-answer.ts";
import { countMessages } from "./anthropic-rules.ts";
import { answerGemini } from "./gemini-answer.ts";
import { countGemini } from "./gemini-rules.ts";
import { answerChat } from "./openai-chat-answer.ts";
import { answerResponses } from "./openai-responses-answer.ts";
import { keptResponses } from "./openai-responses-rules.ts";
import type { Json, Provider, Wire, WireAnswer } from "./provider.ts";

/** One request that the provider received, with its complete response. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly answer: string;
  /** The error message, for refused requests. */
  readonly refusal: string | undefined;
  readonly isOverflow: boolean;
}

/** A fault of one request: too many requests, or a stream that breaks off after its first event. */
export type Fault = "busy" | "cut";

/**
 * A provider on loopback with four wire formats. It refuses the requests that the real providers refuse, with their
 * messages.
 */
export interface ProviderServer {
  /** Base URL of the OpenAI and Anthropic paths. */
  readonly url: string;
  readonly provider: Provider;
  readonly log: Exchange[];
  /** Body of `GET /models`. */
  models: unknown;
  /** If set, every request is refused with this message. */
  trouble: string | undefined;
  /** Called once per model call that passed the rules. */
  fault: (() => Fault | undefined) | undefined;
  close(): Promise<void>;
}

export async function startProviderServer(): Promise<ProviderServer> {
  const log: Exchange[] = [];
  const provider: Provider = { limit: 100_000, bias: 1, answer: () => ({ text: "Hello." }) };
  const settings: Pick<ProviderServer, "models" | "trouble" | "fault"> = {
    models: { object: "list", data: [{ id: "local", object: "model", created: 1, owned_by: "local" }] },
    trouble: undefined,
    fault: undefined,
  };
  const respond = responder(provider, settings);
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const { method = "", url: path = "", headers } = request;
    const wire = wireOf(path);
    let answer = respond(method, path, body);
    const isCall = wire !== undefined && answer.refusal === undefined && !isCount(path);
    const fault = isCall ? settings.fault?.() : undefined;
    if (fault === "busy" && wire !== undefined) answer = BUSY[wire];
    const pieces = answer.events?.map(eventText) ?? [JSON.stringify(answer.body)];
    const { refusal, isOverflow = false } = answer;
    log.push({ method, path, headers, body, answer: pieces.join(""), refusal, isOverflow });
    const type = answer.events === undefined ? "application/json" : "text/event-stream";
    response.writeHead(answer.status ?? 200, { "content-type": type });
    if (fault === "cut") cut(response, pieces);
    else response.end(pieces.join(""));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return Object.assign(settings, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    provider,
    log,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  });
}

function eventText({ name, data }: { readonly name?: string; readonly data: string }): string {
  return `${name === undefined ? "" : `event: ${name}\n`}data: ${data}\n\n`;
}

/**
 * Sends the first event and closes the connection. A cut behind a complete item would test the client alone: Codex
 * sends a reasoning item back without the item that follows it, which is refused with and without a proxy.
 */
function cut(response: ServerResponse, [first = ""]: readonly string[]): void {
  response.write(first, () => response.destroy());
}

const isCount = (path: string) => /count_?tokens/i.test(path);

function wireOf(path: string): Wire | undefined {
  const [name = ""] = path.split("?");
  if (name.endsWith("/chat/completions")) return "chat";
  if (name.endsWith("/responses")) return "responses";
  if (/\/messages(\/count_tokens)?$/.test(name)) return "messages";
  return /:(streamGenerateContent|generateContent|countTokens)$/.test(name) ? "gemini" : undefined;
}

function responder(provider: Provider, settings: Pick<ProviderServer, "models" | "trouble">) {
  const kept = keptResponses();
  const models = (path: string): WireAnswer => {
    const id = /\/models\/([^/?]+)/.exec(path)?.[1];
    const { data = [] } = settings.models as { data?: readonly { id: string }[] };
    if (id === undefined) return { body: settings.models };
    const found = data.find((model) => model.id === decodeURIComponent(id));
    return found === undefined ? notFound(`The model '${id}' does not exist`) : { body: found };
  };
  return (method: string, path: string, body: string): WireAnswer => {
    const { trouble } = settings;
    if (trouble !== undefined) return { status: 400, body: { error: { message: trouble } }, refusal: trouble };
    if (method === "GET") return models(path);
    const wire = wireOf(path);
    if (!isJsonText(body)) return badRequest("We could not parse the JSON body of your request.");
    if (wire === "messages" && isCount(path))
      return { body: { input_tokens: countMessages(readBody(body), provider) } };
    if (wire === "gemini" && isCount(path)) return { body: { totalTokens: countGemini(readBody(body), provider) } };
    if (wire === "chat") return answerChat(body, provider);
    if (wire === "responses") return answerResponses(body, provider, kept);
    if (wire === "messages") return answerMessages(body, provider);
    if (wire === "gemini") return answerGemini(body, provider, path.includes(":streamGenerateContent"));
    return notFound(`Invalid URL (${method} ${path})`);
  };
}

const readBody = (text: string): Json => JSON.parse(text) as Json;

function isJsonText(body: string): boolean {
  try {
    return typeof readBody(body) === "object";
  } catch {
    return false;
  }
}

function badRequest(message: string): WireAnswer {
  return { status: 400, body: { error: { message, type: "invalid_request_error" } }, refusal: message };
}

function notFound(message: string): WireAnswer {
  return { status: 404, body: { error: { message, type: "invalid_request_error" } }, refusal: message };
}

const openAiBusy: WireAnswer = {
  status: 429,
  body: {
    error: {
      message: "Rate limit reached for requests. Please try again in 1s.",
      type: "requests",
      param: null,
      code: "rate_limit_exceeded",
    },
  },
  refusal: "Rate limit reached for requests. Please try again in 1s.",
};

const BUSY: Readonly<Record<Wire, WireAnswer>> = {
  chat: openAiBusy,
  responses: openAiBusy,
  messages: {
    status: 529,
    body: { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
    refusal: "Overloaded",
  },
  gemini: {
    status: 429,
    body: { error: { code: 429, message: "Resource has been exhausted.", status: "RESOURCE_EXHAUSTED" } },
    refusal: "Resource has been exhausted.",
  },
};
