import { arrayField, isRecord, type JsonRecord, stringField } from "../../internal/json.ts";
import { CLAUDE_CODE_BOOKKEEPING } from "../formats/claude-code.ts";
import type { TranscriptFormat } from "../transcript.ts";

const CODEX_TYPES = ["session_meta", "turn_context", "response_item", "event_msg", "compacted", "world_state"];
const GEMINI_TYPES = ["user", "gemini", "info", "error", "warning"];

/** Line types that only Claude Code writes together with a session id. */
const CLAUDE_TYPES: ReadonlySet<unknown> = new Set([
  ...CLAUDE_CODE_BOOKKEEPING,
  "custom-title",
  "ai-title",
  "agent-name",
  "queue-operation",
]);

/** pi entries with a parent entry. */
const PI_TYPES: ReadonlySet<unknown> = new Set([
  "branch_summary",
  "compaction",
  "custom",
  "custom_message",
  "label",
  "message",
  "model_change",
  "session_info",
  "thinking_level_change",
]);

const COPILOT_TYPE = /^(?:assistant|hook|permission|session|subagent|system|tool|user)\.[a-z_]{1,40}$/;

/** Format of a record, if one record is enough to detect it. */
export function formatOfRecord(record: JsonRecord): TranscriptFormat | undefined {
  if (CODEX_TYPES.includes(String(record.type)) && "payload" in record) return "codex";
  if (isClaudeCode(record)) return "claude-code";
  if (isGemini(record)) return "gemini-cli";
  if (isCopilot(record)) return "copilot";
  if (isPi(record)) return "pi";
  return isRecord(record.info) && Array.isArray(record.parts) ? "opencode" : undefined;
}

function isClaudeCode(record: JsonRecord): boolean {
  const { type } = record;
  const isPlaced = ["sessionId", "uuid", "parentUuid"].some((field) => field in record);
  if (type === "user" || type === "assistant") return isPlaced && isRecord(record.message);
  if (type === "file-history-snapshot") return "snapshot" in record;
  if (type === "summary") return "leafUuid" in record;
  return CLAUDE_TYPES.has(type) && typeof record.sessionId === "string";
}

function isGemini(record: JsonRecord): boolean {
  if ("$set" in record || "$rewindTo" in record || "projectHash" in record) return true;
  const isMessage = ["timestamp", "id", "content"].every((field) => field in record) && !("role" in record);
  return isMessage && GEMINI_TYPES.includes(String(record.type));
}

function isCopilot(record: JsonRecord): boolean {
  const isPlaced = typeof record.id === "string" && "parentId" in record && "timestamp" in record;
  return isPlaced && isRecord(record.data) && COPILOT_TYPE.test(stringField(record, "type") ?? "");
}

function isPi(record: JsonRecord): boolean {
  const isDated = typeof record.id === "string" && typeof record.timestamp === "string";
  if (!isDated) return false;
  if (record.type === "session") return typeof record.cwd === "string" && !("data" in record);
  return "parentId" in record && PI_TYPES.has(record.type) && (record.type !== "message" || isRecord(record.message));
}

/** Texts that only Cline writes, at the start of a user block. */
const CLINE_TEXT =
  /^\s*(?:<user_input\b[^<>]{0,400}\bmode=|<environment_details>|\[[\w.-]{1,80} for '[^\n]{0,2000}\] Result:)/;

/**
 * Cline's messages look like Anthropic's. One typical message is enough, unless a role occurs that Cline never writes.
 */
export function isCline(messages: readonly JsonRecord[]): boolean {
  return messages.some(isOfCline) && messages.every(({ role }) => role === "user" || role === "assistant");
}

function isOfCline(message: JsonRecord): boolean {
  if (message.role === "assistant") return isRecord(message.modelInfo) && "ts" in message;
  return (arrayField(message, "content") ?? []).some((block) => {
    const text = isRecord(block) && block.type === "text" ? stringField(block, "text") : undefined;
    return text !== undefined && CLINE_TEXT.test(text);
  });
}
