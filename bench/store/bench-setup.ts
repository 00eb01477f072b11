import type { PostgresServer } from "../../packages/throughline/test/postgres-server.ts";
import type { MakeMessages } from "./make-messages.ts";
import { MASTRA, type MastraModule } from "./peers/mastra.ts";
import type { Absence } from "./print-results.ts";

/** Any will do: nothing of it outlives the bench. */
export const ENCRYPTION_KEY = "5a".repeat(32);

/** What there is to measure with. */
export interface Arena {
  /** For files; it is removed in the end. */
  readonly folder: string;
  readonly server: PostgresServer | undefined;
  readonly mastra: MastraModule | undefined;
  readonly make: MakeMessages;
  /** A look rather than a measurement. */
  readonly isQuick: boolean;
}

export function absentPeers({ mastra }: Arena): Absence[] {
  return mastra === undefined ? [{ name: MASTRA, reason: "not installed" }] : [];
}

export function progress(what: string): void {
  process.stderr.write(`${what} …\n`);
}
