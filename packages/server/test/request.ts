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

/** Sends a request just as it is given: the path is not tidied, the Host may be another's, nothing is unpacked. */
export async function ask(url: string, path: string, asking: Asking = {}): Promise<Answer> {
  const response = await begin(url, path, asking);
  const body = await buffer(response);
  return { status: response.statusCode, headers: response.headers, body, json: () => JSON.parse(body.toString()) };
}

/** The same up to the head of the answer. */
export async function begin(url: string, path: string, asking: Asking = {}): Promise<IncomingMessage> {
  const { method = "GET", headers = {}, body } = asking;
  const { hostname, port } = new URL(url);
  // A connection for each: what one test leaves open is no matter of the next.
  const request = send({ hostname, port, path, method, headers, agent: false });
  // Who has its answer need not send the rest; before it this fails.
  request.on("error", () => undefined);
  request.end(body);
  const [response] = await once(request, "response");
  return response;
}
