import { arrayField, isRecord, type JsonRecord } from "../../internal/json.ts";
import { isResponsesItem } from "../formats/message-list.ts";
import type { TranscriptFormat } from "../transcript.ts";

type ListFormat = Extract<TranscriptFormat, "openai" | "anthropic" | "ai-sdk">;

const ROLES: readonly unknown[] = ["system", "developer", "user", "assistant", "tool"];
const ORDER: readonly ListFormat[] = ["openai", "anthropic", "ai-sdk"];

/**
 * Detects whose messages these are, by the fields of each message; `undefined` if they are not messages. Plain text
 * messages look the same in all formats and default to OpenAI's.
 */
export function voteOnMessages(
  messages: readonly JsonRecord[],
  fields: ReadonlyMap<string, unknown>,
): ListFormat | undefined {
  const real = messages.filter(isMessage);
  if (real.length === 0) return undefined;
  const votes = new Map<ListFormat, number>();
  for (const message of real) {
    const format = formatOfMessage(message);
    if (format !== undefined) votes.set(format, (votes.get(format) ?? 0) + 1);
  }
  const [winner] = ORDER.filter((format) => votes.has(format)).sort(
    (a, b) => (votes.get(b) ?? 0) - (votes.get(a) ?? 0),
  );
  const isRequestToAnthropic = fields.has("system") && (fields.has("max_tokens") || fields.has("anthropic_version"));
  return winner ?? (isRequestToAnthropic ? "anthropic" : "openai");
}

function isMessage(record: JsonRecord): boolean {
  const says = "content" in record || "parts" in record || "tool_calls" in record;
  if (ROLES.includes(record.role)) return says || isResponsesItem(record);
  return isResponsesItem(record) && record.type !== "message" && isOfResponses(record);
}

/** Other programs write records of type `…_call` and `…_output` too. */
function isOfResponses({ type, call_id, summary, id, encrypted_content }: JsonRecord): boolean {
  if (typeof call_id === "string" || typeof encrypted_content === "string") return true;
  return type === "reasoning" ? Array.isArray(summary) : typeof id === "string" && /^[a-z]{1,10}_/.test(id);
}

/** Decides by the fields of the message, then by the first block that only one format has. */
function formatOfMessage(message: JsonRecord): ListFormat | undefined {
  if (isResponsesItem(message) || message.role === "developer") return "openai";
  if ("tool_calls" in message || "tool_call_id" in message) return "openai";
  if (Array.isArray(message.parts) || "providerOptions" in message) return "ai-sdk";
  for (const block of arrayField(message, "content") ?? []) {
    const format = isRecord(block) ? formatOfBlock(block) : undefined;
    if (format !== undefined) return format;
  }
  return message.role === "tool" ? "openai" : undefined;
}

const ANTHROPIC_BLOCKS =
  /^(tool_use|tool_result|thinking|redacted_thinking|server_tool_use|document|search_result|container_upload|mcp_tool_use|\w+_tool_result)$/;
const AI_SDK_PARTS = /^(tool-call|tool-result|tool-approval-\w+|reasoning|reasoning-file|custom)$/;
const OPENAI_PIECES =
  /^(image_url|video_url|refusal|input_text|output_text|input_image|input_file|input_audio|summary_text)$/;

function formatOfBlock(block: JsonRecord): ListFormat | undefined {
  const type = String(block.type);
  if (ANTHROPIC_BLOCKS.test(type) || "cache_control" in block) return "anthropic";
  if (AI_SDK_PARTS.test(type) || "providerOptions" in block) return "ai-sdk";
  if (OPENAI_PIECES.test(type)) return "openai";
  if (type === "image") return isRecord(block.source) ? "anthropic" : "ai-sdk";
  if (type === "file") return isRecord(block.file) ? "openai" : "ai-sdk";
  return undefined;
}
