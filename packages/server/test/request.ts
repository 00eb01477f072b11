import { once } from "node:events";
import { type IncomingHttpHeaders, type IncomingMessage, request as send } from "node:http";
import { buffer } from "node:stream/consumers";

export interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** The body as JSON. */
  json(): unknown;
}

export interface Asking {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * Sends a raw request: the path is not normalized, the Host header may be foreign, and the response is not
 * decompressed.
 */
export async function ask(url: string, path: string, asking: Asking = {}): Promise<Answer> {
  const response = await begin(url, path, asking);
  const body = await buffer(response);
  return { status: response.statusCode, headers: response.headers, body, json: () => JSON.parse(body.toString()) };
}

/** Resolves at the head of the response. */
export async function begin(url: string, path: string, asking: Asking = {}): Promise<IncomingMessage> {
  const { method = "GET", headers = {}, body } = asking;
  const { hostname, port } = new URL(url);
  // One connection per request, so that open connections do not affect the next test.
  const request = send({ hostname, port, path, method, headers, agent: false });
  // After the response, the rest of the request need not be sent. Before it, a send error fails.
  request.on("error", () => undefined);
  request.end(body);
  const [response] = await once(request, "response");
  return response;
}
