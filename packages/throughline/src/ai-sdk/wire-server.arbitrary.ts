import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { answerChat } from "./wire-chat.arbitrary.ts";
import { answerMessages } from "./wire-messages.arbitrary.ts";
import type { Provider, WireAnswer } from "./wire-provider.arbitrary.ts";

/** A provider on this machine: it speaks two wire formats, and refuses what the real ones refuse, in their words. */
export interface WireServer {
  readonly url: string;
  readonly provider: Provider;
  /** Every request: what was sent, and why it was refused, where it was. */
  readonly log: { readonly body: string; readonly refusal: string | undefined; readonly isOverflow: boolean }[];
  close(): Promise<void>;
}

export async function startWireServer(): Promise<WireServer> {
  const log: WireServer["log"] = [];
  const provider: Provider = { limit: 100_000, bias: 1, answer: () => ({ text: "Hello." }) };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const answer: WireAnswer = request.url?.endsWith("/chat/completions")
      ? answerChat(body, provider)
      : answerMessages(body, provider);
    log.push({ body, refusal: answer.refusal, isOverflow: answer.isOverflow ?? false });
    const isStream = answer.events !== undefined;
    response.writeHead(answer.refusal === undefined ? 200 : 400, {
      "content-type": isStream ? "text/event-stream" : "application/json",
    });
    for (const event of answer.events ?? []) response.write(`data: ${event}\n\n`);
    response.end(isStream ? undefined : JSON.stringify(answer.body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    provider,
    log,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
