import { once } from "node:events";
import { createServer, request as forward } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { buffer } from "node:stream/consumers";

/** One request of the client, with its response. */
export interface Tapped {
  readonly path: string;
  readonly body: string;
  readonly status: number;
  readonly session: string | undefined;
  readonly degraded: string | undefined;
}

/** Forwards requests between a client and the server unchanged, and records the responses. */
export async function startTap(target: string) {
  const tapped: Tapped[] = [];
  const { hostname, port } = new URL(target);
  const server = createServer(async (request, response) => {
    const { method, url: path = "", headers } = request;
    const body = await buffer(request);
    const onward = forward({ hostname, port, method, path, headers }, (answer) => {
      const { statusCode: status = 0, headers: given } = answer;
      const header = (name: string) => given[`x-throughline-${name}`]?.toString();
      tapped.push({ path, body: body.toString(), status, session: header("session"), degraded: header("degraded") });
      response.writeHead(status, given);
      answer.pipe(response);
      answer.on("error", () => response.destroy());
    });
    onward.on("error", () => response.destroy());
    response.on("close", () => onward.destroy());
    onward.end(body);
  });
  server.on("upgrade", (request, socket, head) => {
    const onward = connect(Number(port), hostname, () => {
      const lines = [`${request.method} ${request.url} HTTP/1.1`];
      for (let at = 0; at < request.rawHeaders.length; at += 2)
        lines.push(`${request.rawHeaders[at]}: ${request.rawHeaders[at + 1]}`);
      onward.write(`${lines.join("\r\n")}\r\n\r\n`);
      onward.write(head);
      onward.pipe(socket).pipe(onward);
    });
    for (const stream of [onward, socket]) stream.on("error", () => [onward, socket].map((one) => one.destroy()));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tapped,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
