/// <reference types="node" />
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Requests that the server received. */
interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly userAgent: string | undefined;
  readonly body: string;
}

export type Behavior = (response: ServerResponse, received: ReceivedRequest) => void;

export interface OpenAiServer extends AsyncDisposable {
  readonly origin: string;
  readonly baseUrl: string;
  readonly received: ReceivedRequest[];
  /** Resolves when the client aborts a request. */
  readonly brokenOff: Promise<void>;
  behave(behavior: Behavior): void;
}

/** A real server on loopback with OpenAI's wire format: a list of models and streamed responses. */
export async function openAiServer(behavior: Behavior = says("Hello", " there", ".")): Promise<OpenAiServer> {
  const received: ReceivedRequest[] = [];
  const broken = Promise.withResolvers<void>();
  let current = behavior;
  const server = createServer(async (request, response) => {
    response.on("close", () => {
      if (!response.writableFinished) broken.resolve();
    });
    const call = await readRequest(request);
    received.push(call);
    current(response, call);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    baseUrl: `${origin}/v1`,
    received,
    brokenOff: broken.promise,
    behave: (next) => {
      current = next;
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readRequest(request: IncomingMessage): Promise<ReceivedRequest> {
  let body = "";
  for await (const chunk of request) body += chunk;
  const { method = "", url = "", headers } = request;
  return { method, path: url, authorization: headers.authorization, userAgent: headers["user-agent"], body };
}

/** Responds with the given chunks and the token usage. */
export function says(...pieces: readonly string[]): Behavior {
  return (response, { path, body }) => {
    if (path.endsWith("/models"))
      return json(200, { data: [{ id: "tiny" }] })(response, { path, body } as ReceivedRequest);
    if (!body.includes('"stream":true')) return whole(pieces.join(""))(response, { path, body } as ReceivedRequest);
    begin(response);
    for (const content of pieces) piece(response, { delta: { content } });
    piece(response, { delta: {}, finish_reason: "stop" });
    event(response, { choices: [], usage: { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 } });
    response.end("data: [DONE]\n\n");
  };
}

/** Starts a normal response, then runs the callback. */
export function begins(word: string, then: (response: ServerResponse) => void): Behavior {
  return (response) => {
    begin(response);
    piece(response, { delta: { content: word } });
    then(response);
  };
}

export function json(status: number, value: unknown, headers: Record<string, string> = {}): Behavior {
  return text(status, JSON.stringify(value), { "content-type": "application/json", ...headers });
}

export function text(status: number, body: string, headers: Record<string, string> = {}): Behavior {
  return (response) => response.writeHead(status, headers).end(body);
}

/** Accepts the request and never responds. */
export const hangs: Behavior = () => undefined;

function whole(content: string): Behavior {
  const choices = [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }];
  return json(200, { id: "1", model: "tiny", choices });
}

function begin(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
}

function piece(response: ServerResponse, choice: object): void {
  event(response, { id: "1", model: "tiny", choices: [{ index: 0, finish_reason: null, ...choice }] });
}

function event(response: ServerResponse, value: object): void {
  response.write(`data: ${JSON.stringify(value)}\n\n`);
}
