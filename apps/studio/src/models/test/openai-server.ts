/// <reference types="node" />
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Requests that the server got. */
interface Heard {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly userAgent: string | undefined;
  readonly body: string;
}

export type Behavior = (response: ServerResponse, heard: Heard) => void;

export interface OpenAiServer extends AsyncDisposable {
  readonly origin: string;
  readonly baseUrl: string;
  readonly heard: Heard[];
  /** Settles when a request was broken off by whoever asked. */
  readonly brokenOff: Promise<void>;
  behave(behavior: Behavior): void;
}

/** A real server on loopback that speaks as OpenAI's does: a list of models, and answers in pieces. */
export async function openAiServer(behavior: Behavior = says("Hello", " there", ".")): Promise<OpenAiServer> {
  const heard: Heard[] = [];
  const broken = Promise.withResolvers<void>();
  let current = behavior;
  const server = createServer(async (request, response) => {
    response.on("close", () => {
      if (!response.writableFinished) broken.resolve();
    });
    const asked = await readRequest(request);
    heard.push(asked);
    current(response, asked);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    baseUrl: `${origin}/v1`,
    heard,
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

async function readRequest(request: IncomingMessage): Promise<Heard> {
  let body = "";
  for await (const chunk of request) body += chunk;
  const { method = "", url = "", headers } = request;
  return { method, path: url, authorization: headers.authorization, userAgent: headers["user-agent"], body };
}

/** Answers in these pieces and says what it cost. */
export function says(...pieces: readonly string[]): Behavior {
  return (response, { path, body }) => {
    if (path.endsWith("/models")) return json(200, { data: [{ id: "tiny" }] })(response, { path, body } as Heard);
    if (!body.includes('"stream":true')) return whole(pieces.join(""))(response, { path, body } as Heard);
    begin(response);
    for (const content of pieces) piece(response, { delta: { content } });
    piece(response, { delta: {}, finish_reason: "stop" });
    event(response, { choices: [], usage: { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 } });
    response.end("data: [DONE]\n\n");
  };
}

/** Begins as it should, and then this happens. */
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

/** Takes the request and never says a word. */
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
