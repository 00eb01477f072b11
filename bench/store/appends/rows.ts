import type { Store } from "throughline";
import { OWNER } from "./our-writers.ts";
import type { Round } from "./writer.ts";

/** The rows of an append, in the order of the store's own statements. */
export const TABLES = {
  messages: ["owner", "session_id", "position", "id", "role", "created_at", "tokens", "rest", "rest_packed"],
  message_parts: ["owner", "session_id", "position", '"order"', "id", "type", "tokens", "content", "content_packed"],
} as const;

export type TableName = keyof typeof TABLES;
export type Rows<Value> = Readonly<Record<TableName, Value[][]>>;

/** Index of the column `position`. */
const POSITION = 2;

/** The statement that reads all rows of a session. */
export function selectText(table: TableName, sessionParameter: string): string {
  const order = table === "messages" ? "position" : 'position, "order"';
  return `SELECT ${TABLES[table].join(", ")} FROM ${table} WHERE session_id = ${sessionParameter} ORDER BY ${order}`;
}

/** The rows that the store writes for a round, turn by turn. */
export async function makeRows<Value>(
  round: Round,
  store: Store,
  read: (sessionId: string) => Promise<Rows<Value>>,
): Promise<Rows<Value>[]> {
  // The rows do not depend on the split into turns.
  await store.messages.append({ userId: OWNER, sessionId: round.sessionId }, 0, round.turns.flat());
  const { messages, message_parts } = await read(round.sessionId);
  const byTurn = (rows: Value[][]) => Map.groupBy(rows, (row) => Math.floor(Number(row[POSITION]) / round.turnSize));
  const [turns, parts] = [byTurn(messages), byTurn(message_parts)];
  return [...turns].map(([turn, rows]) => ({ messages: rows, message_parts: parts.get(turn) ?? [] }));
}
