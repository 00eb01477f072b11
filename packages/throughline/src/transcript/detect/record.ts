import { isRecord, type JsonRecord } from "../../message/read-json.ts";
import { CLAUDE_CODE_BOOKKEEPING } from "../formats/claude-code-records.ts";
import type { TranscriptFormat } from "../transcript.ts";

const CODEX_TYPES = ["session_meta", "turn_context", "response_item", "event_msg", "compacted", "world_state"];
const GEMINI_TYPES = ["user", "gemini", "info", "error", "warning"];

/** Types of lines that, with the id of a session beside them, only Claude Code writes. */
const CLAUDE_TYPES: ReadonlySet<unknown> = new Set([
  ...CLAUDE_CODE_BOOKKEEPING,
  "custom-title",
  "ai-title",
  "agent-name",
  "queue-operation",
]);

/** The program whose record this is, where one record is enough to tell. */
export function formatOfRecord(record: JsonRecord): TranscriptFormat | undefined {
  if (CODEX_TYPES.includes(String(record.type)) && "payload" in record) return "codex";
  if (isClaudeCode(record)) return "claude-code";
  if (isGemini(record)) return "gemini-cli";
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
