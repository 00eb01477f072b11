import type { JsonRecord } from "../../internal/json.ts";

/** The fields under which files of sessions keep the messages of each. */
export const LIST_FIELDS: readonly string[] = ["messages", "traj", "conversation", "history", "items", "input"];

/** The fields under which one document keeps several sessions. */
export const SESSION_FIELDS: readonly string[] = ["simulations", "sessions", "conversations"];

/** The messages of a record that is a session; `undefined` where it is a message itself. */
export function messagesIn(record: JsonRecord): readonly unknown[] | undefined {
  if ("role" in record) return undefined;
  return LIST_FIELDS.map((name) => record[name]).find((value) => Array.isArray(value));
}
