import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestProject } from "vitest/node";
import { type PostgresServer, startPostgres } from "./postgres-server.ts";

/** Vitest runs this file once for each project, and loads it again each time, so the server is found by this name. */
const RUN = globalThis as { throughlinePostgres?: Promise<PostgresServer> };

/** Offers one PostgreSQL server to all test files, started when the first of them asks for it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const broker = createServer((_, response) => {
    RUN.throughlinePostgres ??= startPostgres();
    RUN.throughlinePostgres.then(
      (server) => response.end(server.url()),
      (error: Error) => response.writeHead(500).end(error.message),
    );
  });
  await new Promise<void>((resolve) => {
    broker.listen(0, "127.0.0.1", resolve);
  });
  const { port } = broker.address() as AddressInfo;
  project.provide("postgresBroker", `http://127.0.0.1:${port}`);
  return async () => {
    broker.close();
    const server = RUN.throughlinePostgres;
    delete RUN.throughlinePostgres;
    await (await server)?.stop();
  };
}
