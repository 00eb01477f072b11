import { count } from "../format-values.ts";
import type { SessionTally } from "../import/import-writer.ts";
import { printTallies } from "../import/print-session-counts.ts";
import { printableLine } from "../printable.ts";
import type { UnreadableRow } from "./migrate-table.ts";

const ROWS_SHOWN = 20;

export interface Migration {
  readonly data: string;
  readonly from: string;
  readonly dryRun: boolean;
  readonly rows: number;
  readonly sessions: readonly SessionTally[];
  readonly unreadable: readonly UnreadableRow[];
}

/** What was migrated and what could not be, for people. */
export function printMigration({ data, dryRun, sessions, unreadable }: Migration): string {
  const hidden = unreadable.length - ROWS_SHOWN;
  const lines = [
    ...(sessions.length === 0 ? ["There is nothing to migrate."] : printTallies(sessions, data, dryRun)),
    ...(unreadable.length === 0 ? [] : [`${count(unreadable.length, "row")} could not be read:`]),
    ...unreadable.slice(0, ROWS_SHOWN).map(row),
    ...(hidden > 0 ? [`… and ${count(hidden, "more row")}; --json prints all of them.`] : []),
  ];
  return `${lines.join("\n")}\n`;
}

function row({ sessionId, id, problem }: UnreadableRow): string {
  return `  session ${printableLine(sessionId ?? "–")}, id ${printableLine(id ?? "–")}: ${printableLine(problem)}`;
}
