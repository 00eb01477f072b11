import type { JsonRecord } from "../../internal/json.ts";

const ITEM_TYPES = /^(message|reasoning|item_reference|mcp_.+|.+_call|.+_output|(.+_)?compaction(_.+)?)$/;

/** True for an item of OpenAI's Responses API. Chat messages have no `type`. */
export function isResponsesItem(raw: JsonRecord): boolean {
  return typeof raw.type === "string" && ITEM_TYPES.test(raw.type) && !("tool_calls" in raw) && raw.role !== "tool";
}
