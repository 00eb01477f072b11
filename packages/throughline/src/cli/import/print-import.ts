import { count } from "../amounts.ts";
import { printTallies } from "../keep/print-tallies.ts";
import type { ImportedFile } from "./import-file.ts";

/** What was imported, for people. */
export function printImport(data: string, results: readonly ImportedFile[]): string {
  const sessions = results.flatMap((result) => result.sessions);
  if (sessions.length === 0) return "Nothing was imported.\n";
  const skipped = results.reduce((sum, result) => sum + result.skipped.total, 0);
  const lines = [
    ...printTallies(sessions, data),
    ...(skipped === 0
      ? []
      : [`${count(skipped, "record")} could not be read; \`throughline inspect FILE\` says which.`]),
  ];
  return `${lines.join("\n")}\n`;
}
