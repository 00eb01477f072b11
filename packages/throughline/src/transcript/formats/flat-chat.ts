import { arrayField, isRecord, type JsonRecord, stringField } from "../../internal/json.ts";

/** Some programs write OpenAI's messages flat: calls without `function`, results whose own id is the call's. */
export function toStandardChat(raw: JsonRecord): JsonRecord {
  const calls = arrayField(raw, "tool_calls");
  const { tool_calls: _, ...rest } = raw;
  const withCalls =
    raw.tool_calls === null ? rest : calls === undefined ? raw : { ...raw, tool_calls: calls.map(nest) };
  if (raw.role !== "tool" || "tool_call_id" in raw || typeof raw.id !== "string") return withCalls;
  return { ...withCalls, tool_call_id: raw.id };
}

function nest(call: unknown): unknown {
  if (!isRecord(call) || "function" in call || "custom" in call) return call;
  const { name, arguments: input, ...rest } = call;
  const text = stringField(call, "arguments") ?? JSON.stringify(input ?? {});
  return { ...rest, type: "function", function: { name, arguments: text } };
}
