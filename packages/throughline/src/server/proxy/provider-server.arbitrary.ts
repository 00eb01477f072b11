import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { answerChat } from "../../ai-sdk/wire-chat.arbitrary.ts";
import { answerMessages } from "../../ai-sdk/wire-messages.arbitrary.ts";
import type { Provider, WireAnswer } from "../../ai-sdk/wire-provider.arbitrary.ts";
import { messagesEvents } from "./wire/messages-stream.arbitrary.ts";
import { answerResponses, type KeptResponses } from "./wire/responses-provider.arbitrary.ts";

/** One request that a provider got, and all that it answered. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly answer: string;
  readonly refusal: string | undefined;
  readonly isOverflow: boolean;
}

/** A provider on this machine that speaks three wire formats, streams, and refuses what the real ones refuse. */
export interface ProviderServer {
  readonly url: string;
  readonly provider: Provider;
  readonly log: Exchange[];
  /** What `GET /models` says. */
  models: unknown;
  /** Why it answers nothing at all, where it does not. */
  trouble: string | undefined;
  close(): Promise<void>;
}

export async function startProviderServer(): Promise<ProviderServer> {
  const log: Exchange[] = [];
  const provider: Provider = { limit: 100_000, bias: 1, answer: () => ({ text: "Hello." }) };
  const kept: KeptResponses = new Map();
  const about = {
    models: { object: "list", data: [{ id: "local", object: "model" }] } as unknown,
    trouble: undefined as string | undefined,
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const { method = "", url: path = "", headers } = request;
    const { events, refusal, isOverflow = false, ...rest } = respond(method, path, body);
    const pieces = events?.map((event) => `data: ${event}\n\n`) ?? [JSON.stringify(rest.body)];
    log.push({ method, path, headers, body, answer: pieces.join(""), refusal, isOverflow });
    const type = events === undefined ? "application/json" : "text/event-stream";
    response.writeHead(refusal === undefined ? 200 : 400, { "content-type": type });
    for (const piece of pieces) response.write(piece);
    response.end();
  });
  const respond = (method: string, path: string, body: string): WireAnswer => {
    if (about.trouble !== undefined) return { body: { error: { message: about.trouble } }, refusal: about.trouble };
    if (method === "GET") return { body: about.models };
    if (path.endsWith("/chat/completions")) return answerChat(body, provider);
    if (path.endsWith("/responses")) return answerResponses(body, provider, kept);
    if (path.endsWith("/count_tokens")) return { body: { input_tokens: body.length } };
    const answer = answerMessages(withBlocks(body), provider);
    const isStream = (JSON.parse(body) as { stream?: boolean }).stream === true && answer.refusal === undefined;
    return isStream ? { events: messagesEvents(answer.body as Record<string, unknown>) } : answer;
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const close = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  return Object.assign(about, { url, provider, log, close });
}

/** A text in the place of a list of blocks means one block. */
function withBlocks(text: string): string {
  const body = JSON.parse(text) as { messages: { content: unknown }[] };
  const messages = body.messages.map((message) =>
    typeof message.content === "string" ? { ...message, content: [{ type: "text", text: message.content }] } : message,
  );
  return JSON.stringify({ ...body, messages });
}
