import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A received request. */
interface Asked {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Record<string, unknown>;
}

export interface ChatServer {
  readonly baseUrl: string;
  readonly asked: readonly Asked[];
  close(): Promise<void>;
}

/** Writes the response to the request with that index. */
export type Answering = (response: ServerResponse, asked: Asked, index: number) => void;

/** A local server with scripted responses. */
export async function chatServer(answer: Answering): Promise<ChatServer> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString("utf8") || "{}") as Record<string, unknown>;
    asked.push({ path: request.url ?? "", headers: request.headers, body });
    answer(response, asked.at(-1) as Asked, asked.length - 1);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function sendJson(response: ServerResponse, status: number, value: unknown, headers = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(value));
}

export function sendText(response: ServerResponse, content: unknown): void {
  sendJson(response, 200, { choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }] });
}

export function sendError(response: ServerResponse, status: number, message: string, headers = {}): void {
  sendJson(response, status, { error: { message, type: "error" } }, headers);
}
