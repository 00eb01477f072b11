import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export interface Seen {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
  readonly response: ServerResponse;
}

/** A model server on loopback with scripted responses. */
export async function startUpstream(answer: (seen: Seen) => unknown) {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request;
    const one = { method, path: url, headers, body: await text(request), response };
    seen.push(one);
    await answer(one);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    seen,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
