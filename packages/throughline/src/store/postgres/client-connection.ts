import type { Writable } from "node:stream";
import type pg from "pg";
import { ConnectionLost, type PostgresConnection } from "./connections.ts";

/**
 * Makes a connection over the network. Statements are not prepared by name on the server: that saved only a tenth of an
 * append and failed behind connection poolers.
 */
export function clientConnection(client: pg.ClientBase): PostgresConnection & { readonly finished: Promise<unknown> } {
  let finished: Promise<unknown> = Promise.resolve();
  // Not part of the documented interface, so it may be missing.
  const { stream } = (client as { readonly connection?: { readonly stream?: Partial<Writable> } }).connection ?? {};
  return {
    together(send) {
      stream?.cork?.();
      try {
        return send();
      } finally {
        stream?.uncork?.();
      }
    },
    get finished() {
      return finished;
    },
    finish(text) {
      // If the connection is lost, it is not lent again.
      finished = client.query(text).catch(() => undefined);
    },
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

/** Wraps errors that are not answers of the server: the connection was lost. */
export function unanswered(error: unknown): unknown {
  return isDatabaseError(error) ? error : new ConnectionLost(error);
}

/** Errors that PostgreSQL sent have a severity, such as `ERROR` or `FATAL`. */
export function isDatabaseError(error: unknown): boolean {
  return error instanceof Error && "severity" in error && typeof error.severity === "string";
}
