import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";

/** A request as it reached the model. */
export interface AskedOf {
  readonly model: string;
  readonly stream?: boolean;
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

/** Responses of the model, chosen by the last message. */
export interface Reply {
  readonly words: readonly string[];
  /** Reasoning before the answer. */
  readonly thoughts?: string;
  /** Milliseconds between two words. */
  readonly pause?: number;
  /** Answers with this status instead. */
  readonly status?: number;
  /** Breaks the connection behind the words. */
  readonly cut?: boolean;
  /** Never answers, not even with a status. */
  readonly hangs?: boolean;
  /** Calls this tool behind the words. */
  readonly tool?: string;
}

export interface ModelServer {
  readonly baseUrl: string;
  readonly asked: readonly AskedOf[];
  close(): Promise<void>;
}

/** A model server on loopback with OpenAI's wire format. The test decides its responses. */
export async function startModelServer(answer: (question: string, asked: AskedOf) => Reply): Promise<ModelServer> {
  const asked: AskedOf[] = [];
  const server = createServer((request, response) => {
    allowAll(response);
    void serve(request, response).catch(() => response.destroy());
  });
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method === "OPTIONS") return void response.writeHead(204).end();
    if (request.url === "/v1/models")
      return json(response, { object: "list", data: [{ id: "tiny", object: "model" }] });
    if (request.url !== "/v1/chat/completions") return void response.writeHead(404).end();
    const body = JSON.parse(await read(request)) as AskedOf;
    asked.push(body);
    const reply = answer(questionOf(body), body);
    if (reply.hangs === true) return;
    if (reply.status !== undefined) return json(response, { error: { message: "The model refused." } }, reply.status);
    const tokens = Math.ceil(JSON.stringify(body.messages).length / 4);
    await (body.stream === true ? stream(response, reply, tokens) : whole(response, reply, tokens));
  };
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    asked,
    close: () =>
      new Promise((closed) => {
        server.closeAllConnections();
        server.close(() => closed());
      }),
  };
}

/** The last user message. */
function questionOf({ messages }: AskedOf): string {
  const content = messages.findLast(({ role }) => role === "user")?.content;
  if (typeof content === "string") return content;
  return Array.isArray(content) ? content.map((part: { text?: string }) => part.text ?? "").join("") : "";
}

async function stream(
  response: ServerResponse,
  { words, thoughts, pause = 0, cut = false, tool }: Reply,
  tokens: number,
): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  if (thoughts !== undefined) {
    const delta = { role: "assistant", reasoning_content: thoughts };
    response.write(event({ choices: [{ index: 0, delta, finish_reason: null }] }));
  }
  for (const word of words) {
    if (response.destroyed) return;
    response.write(
      event({ choices: [{ index: 0, delta: { role: "assistant", content: word }, finish_reason: null }] }),
    );
    if (pause > 0) await wait(pause);
  }
  if (cut) return void response.destroy();
  if (tool !== undefined) {
    const call = { index: 0, id: "call_1", type: "function", function: { name: tool, arguments: "{}" } };
    response.write(event({ choices: [{ index: 0, delta: { tool_calls: [call] }, finish_reason: null }] }));
  }
  const usage = usageOf(tokens, words);
  response.write(event({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }], usage }));
  response.end("data: [DONE]\n\n");
}

function whole(response: ServerResponse, { words }: Reply, tokens: number): void {
  const message = { role: "assistant", content: words.join("") };
  const usage = usageOf(tokens, words);
  json(response, { ...HEAD, choices: [{ index: 0, message, finish_reason: "stop" }], usage });
}

function usageOf(tokens: number, words: readonly string[]): object {
  return { prompt_tokens: tokens, completion_tokens: words.length, total_tokens: tokens + words.length };
}

const HEAD = { id: "1", object: "chat.completion", created: 0, model: "tiny" };

function event(data: object): string {
  return `data: ${JSON.stringify({ ...HEAD, object: "chat.completion.chunk", ...data })}\n\n`;
}

function json(response: ServerResponse, data: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(data));
}

function allowAll(response: ServerResponse): void {
  response.setHeader("access-control-allow-origin", "*");
  response.setHeader("access-control-allow-headers", "*");
  response.setHeader("access-control-allow-methods", "GET, POST, OPTIONS");
}

async function read(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString("utf8");
}
