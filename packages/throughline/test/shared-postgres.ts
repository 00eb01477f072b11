import { inject } from "vitest";
import { databasesOf, type PostgresDatabases } from "./postgres-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Answers with the administrator's URL of the PostgreSQL server that all test files share. */
    readonly postgresBroker: string;
  }
}

/** The PostgreSQL server of this test run. Tests that restart or reconfigure a server start their own. */
export async function sharedPostgres(): Promise<PostgresDatabases> {
  const response = await fetch(inject("postgresBroker"));
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return databasesOf((database = "postgres") => Object.assign(new URL(text), { pathname: `/${database}` }).href);
}
