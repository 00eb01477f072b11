import type { JsonRecord } from "../../internal/json.ts";

const ITEM_TYPES = /^(message|reasoning|item_reference|mcp_.+|.+_call|.+_output|(.+_)?compaction(_.+)?)$/;

/** An item of OpenAI's Responses, which has a type of its own where a message of the chat has none. */
export function isResponsesItem(raw: JsonRecord): boolean {
  return typeof raw.type === "string" && ITEM_TYPES.test(raw.type) && !("tool_calls" in raw) && raw.role !== "tool";
}
