import type { PostgresServer } from "../../packages/throughline/test/postgres-server.ts";
import type { MakeMessages } from "./make-messages.ts";
import { MASTRA, type MastraModule } from "./peers/mastra.ts";
import type { Absence } from "./print-results.ts";

/** A fixed key, because the data is deleted after the benchmark. */
export const ENCRYPTION_KEY = "5a".repeat(32);

/** The environment of the benchmark. */
export interface BenchSetup {
  /** Temporary folder for files, removed at the end. */
  readonly folder: string;
  readonly server: PostgresServer | undefined;
  readonly mastra: MastraModule | undefined;
  readonly make: MakeMessages;
  /** A quick check instead of a full measurement. */
  readonly isQuick: boolean;
}

export function absentPeers({ mastra }: BenchSetup): Absence[] {
  return mastra === undefined ? [{ name: MASTRA, reason: "not installed" }] : [];
}

export function progress(what: string): void {
  process.stderr.write(`${what} …\n`);
}
