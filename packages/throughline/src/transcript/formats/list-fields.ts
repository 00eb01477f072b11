import type { JsonRecord } from "../../internal/json.ts";

/** Fields that hold the messages of a session. */
export const LIST_FIELDS: readonly string[] = ["messages", "traj", "conversation", "history", "items", "input"];

/** Fields that hold several sessions in one document. */
export const SESSION_FIELDS: readonly string[] = ["simulations", "sessions", "conversations"];

/** Messages of a session record; `undefined` if the record is itself a message. */
export function messagesIn(record: JsonRecord): readonly unknown[] | undefined {
  if ("role" in record) return undefined;
  return LIST_FIELDS.map((name) => record[name]).find((value) => Array.isArray(value));
}
