import type pg from "pg";
import { StoreError } from "../../errors/store-error.ts";

export type Pg = typeof pg;

/** The PostgreSQL client, an optional peer dependency: loaded by the first connection. */
export async function loadPg(): Promise<Pg> {
  try {
    return (await import("pg")).default;
  } catch (cause) {
    const hint = "Run: npm install pg";
    throw new StoreError("unsupported", "Could not load the package pg, which postgresStore needs.", {
      cause,
      hint,
    });
  }
}
