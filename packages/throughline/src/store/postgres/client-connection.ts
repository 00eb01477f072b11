import type pg from "pg";
import { ConnectionLost, type PostgresConnection } from "./connections.ts";

/**
 * A connection over the network. Statements have no names on the server: to have them kept there saved a tenth of an
 * append, and failed where a pooler stands in between.
 */
export function clientConnection(client: pg.ClientBase): PostgresConnection {
  return {
    async query(text, params = []) {
      try {
        const { rows, rowCount } = await client.query(text, [...params]);
        return { rows, changed: rowCount ?? 0 };
      } catch (error) {
        throw unanswered(error);
      }
    },
    async script(text) {
      await client.query(text).catch((error: unknown) => {
        throw unanswered(error);
      });
    },
  };
}

/** An error of the server itself stays as it is; all others mean that the connection was lost. */
export function unanswered(error: unknown): unknown {
  return isDatabaseError(error) ? error : new ConnectionLost(error);
}

/** Errors that PostgreSQL sent have a severity, such as `ERROR` or `FATAL`. */
export function isDatabaseError(error: unknown): boolean {
  return error instanceof Error && "severity" in error && typeof error.severity === "string";
}
