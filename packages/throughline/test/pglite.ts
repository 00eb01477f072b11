import { PGlite } from "@electric-sql/pglite";
import type { PostgresConnection, PostgresConnections } from "../src/store/postgres/connections.ts";
import { parserOf } from "../src/store/postgres/pool.ts";

// Options that PGlite would read in another way.
const PARSERS = Object.fromEntries(["16", "20", "114", "1700", "3802"].map((type) => [type, parserOf(Number(type))]));

/** PostgreSQL within the process. It has one connection, so transactions wait for each other. */
export async function pgliteConnections(): Promise<PostgresConnections & { readonly database: PGlite }> {
  const database = await PGlite.create();
  const connection: PostgresConnection = {
    async query(text, params = []) {
      const { rows, affectedRows } = await database.query<never>(text, [...params], { parsers: PARSERS });
      return { rows, changed: affectedRows ?? 0 };
    },
    async script(text) {
      await database.exec(text);
    },
    together: (send) => send(),
    finish: (text) => void database.exec(text),
  };
  let last: Promise<unknown> = Promise.resolve();
  const lend: PostgresConnections["withConnection"] = (work) => {
    const result = last.then(() => work(connection));
    last = result.catch(() => undefined);
    return result;
  };
  return {
    database,
    withConnection: lend,
    withLongConnection: lend,
    listen: (channel, hear) => database.listen(channel, hear),
    close: () => database.close(),
  };
}
