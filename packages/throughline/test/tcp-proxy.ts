import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

interface TcpProxy {
  /** URL of the server through the proxy. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Starts a proxy to a server.
 *
 * @param join Forwards the data of a connection in both directions.
 * @param ready New connections wait for it.
 */
export async function startProxy(
  url: string,
  join: (client: Socket, upstream: Socket) => void,
  ready: () => Promise<void> = async () => undefined,
): Promise<TcpProxy> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  const server = createServer(async (client) => {
    await ready();
    const upstream = connect({ port: Number(target.port), host: target.hostname, noDelay: true });
    sockets.add(client).add(upstream);
    join(client, upstream);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const proxied = new URL(url);
  proxied.port = String(typeof address === "object" ? address?.port : address);
  return {
    url: proxied.href,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
