import { storedTextOf } from "../read-row.ts";
import type { SqlStatement, SqlTransaction } from "../sql-driver.ts";

/** A prefix whose characters a database stores unchanged. */
const KEPT_AS_IT_IS = /^[^\0\\\ud800-\udfff]*/;

/** Names in a table with the columns `space` and `name`: those of a space that start with a prefix, sorted. */
export async function namesIn(tx: SqlTransaction, table: string, space: string, prefix: string): Promise<string[]> {
  const rows = await tx.all(...selectNamed(table, "name", space, prefix));
  return withPrefix(
    rows.map((row) => storedTextOf(row, "name")),
    prefix,
  );
}

/** Selects rows of a space whose names may start with a prefix; `withPrefix` drops the others. */
export function selectNamed(table: string, columns: string, space: string, prefix: string): SqlStatement {
  const start = KEPT_AS_IT_IS.exec(prefix)?.[0] ?? "";
  const [within, bounds] = start === "" ? ["", []] : ["AND name >= ? AND name < ?", [start, behindAll(start)]];
  return [`SELECT ${columns} FROM ${table} WHERE space = ? ${within}`, [space, ...bounds]];
}

/** Sorted here, because databases and JavaScript sort surrogate pairs differently. */
export function withPrefix(names: readonly string[], prefix: string): string[] {
  return names.filter((name) => name.startsWith(prefix)).sort();
}

/** The smallest text after all texts with this prefix. */
function behindAll(start: string): string {
  const last = start.charCodeAt(start.length - 1);
  // Single surrogates are not valid characters.
  return start.slice(0, -1) + String.fromCodePoint(last === 0xd7ff ? 0xe000 : last + 1);
}
