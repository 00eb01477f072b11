import { arrayField, isRecord, type JsonRecord } from "../message/read-json.ts";
import { isResponsesItem, LIST_FIELDS, SESSION_FIELDS } from "./formats/message-list.ts";
import { readLine } from "./read-lines.ts";
import type { TranscriptFormat } from "./transcript.ts";

/** Whether a transcript is a line per record or one JSON document. */
export type Layout = "lines" | "document";

export interface Detected {
  readonly format: TranscriptFormat;
  readonly layout: Layout;
}

/** How much of a file is looked at. */
export const SNIFF_CHARS = 256 * 1024;
const SNIFF_LINES = 60;

/**
 * Tells format and layout from the beginning of a text; `undefined` where nothing fits.
 *
 * @param whole whether `head` is all there is
 */
export function detectFormat(head: string, whole: boolean): Detected | undefined {
  const text = head.replace(/^\uFEFF/, "").trimStart();
  const records = headRecords(text, whole);
  for (const record of records) {
    const format = lineFormat(record);
    if (format !== undefined) return { format, layout: "lines" };
  }
  const format = documentFormat(text, records[0]);
  if (format === undefined) return undefined;
  return { format, layout: records.length > 1 ? "lines" : "document" };
}

/** The layout of a text whose format is known. */
export function detectLayout(format: TranscriptFormat, head: string, whole: boolean): Layout {
  const text = head.replace(/^\uFEFF/, "").trimStart();
  if (text.startsWith("[")) return "document";
  if (format === "claude-code" || format === "codex") return "lines";
  const records = headRecords(text, whole);
  const isOneDocument = records.length === 1 && records.some((record) => isDocument(record));
  return records.length === 0 || isOneDocument ? "document" : "lines";
}

/** The objects at the beginning that have a line each. */
function headRecords(text: string, whole: boolean): JsonRecord[] {
  const lines = text.split("\n", SNIFF_LINES + 1);
  const complete = whole || lines.length > SNIFF_LINES ? lines : lines.slice(0, -1);
  return complete
    .slice(0, SNIFF_LINES)
    .flatMap((line) => (line.trimStart().startsWith("{") ? (readLine(line) ?? []) : []))
    .filter(isRecord);
}

const CODEX_TYPES = ["session_meta", "turn_context", "response_item", "event_msg", "compacted", "world_state"];
const GEMINI_TYPES = ["user", "gemini", "info", "error", "warning"];

function lineFormat(record: JsonRecord): TranscriptFormat | undefined {
  const type = String(record.type);
  if (CODEX_TYPES.includes(type) && "payload" in record) return "codex";
  const inChain = "uuid" in record && "sessionId" in record && "parentUuid" in record;
  if (inChain && ["user", "assistant", "system", "progress", "attachment"].includes(type)) return "claude-code";
  if (type === "file-history-snapshot" && "snapshot" in record) return "claude-code";
  if (type === "summary" && "leafUuid" in record) return "claude-code";
  if (type === "queue-operation" && "operation" in record) return "claude-code";
  if ("$set" in record || "$rewindTo" in record) return "gemini-cli";
  if ("projectHash" in record && !("messages" in record)) return "gemini-cli";
  const geminiMessage = GEMINI_TYPES.includes(type) && "timestamp" in record && "id" in record && "content" in record;
  return geminiMessage ? "gemini-cli" : undefined;
}

function isDocument(record: JsonRecord): boolean {
  return [...LIST_FIELDS, ...SESSION_FIELDS].some((field) => Array.isArray(record[field]));
}

/** Looks at whole values where the head holds some, and at names of fields where it ends in the middle of one. */
function documentFormat(text: string, first: JsonRecord | undefined): TranscriptFormat | undefined {
  const sample = first ?? sampleOf(text);
  if (text.startsWith("{") && /"projectHash"\s*:/.test(text) && /"messages"\s*:\s*\[/.test(text)) return "gemini-cli";
  if (text.startsWith("{") && /"messages"\s*:\s*\[\s*(\{\s*"(info|parts)"|\])/.test(text) && /"info"\s*:/.test(text)) {
    return "opencode";
  }
  const looksLikeMessages = /"role"\s*:\s*"(system|developer|user|assistant|tool)"/.test(text);
  const looksLikeItems = /"type"\s*:\s*"(function_call|function_call_output|reasoning)"/.test(text);
  if (!looksLikeMessages && !looksLikeItems) return undefined;
  return listFormat(text, sample);
}

function sampleOf(text: string): JsonRecord | undefined {
  if (!text.startsWith("{")) return undefined;
  const [value] = readLine(text) ?? [];
  return isRecord(value) ? value : undefined;
}

const ANTHROPIC_BLOCKS = /"type"\s*:\s*"(tool_use|tool_result|thinking|redacted_thinking|server_tool_use)"/;
const AI_SDK_PARTS = /"type"\s*:\s*"(tool-call|tool-result|tool-approval-request|dynamic-tool|step-start|tool-[\w-]+)"/;
const UI_PARTS = /"parts"\s*:\s*\[/;
const OPENAI_FIELDS = /"(tool_calls|tool_call_id)"\s*:|"role"\s*:\s*"developer"/;

/** Plain texts look the same everywhere; they are read as OpenAI's, where nothing says otherwise. */
function listFormat(text: string, sample: JsonRecord | undefined): TranscriptFormat {
  if (OPENAI_FIELDS.test(text)) return "openai";
  if (ANTHROPIC_BLOCKS.test(text)) return "anthropic";
  if (AI_SDK_PARTS.test(text) || UI_PARTS.test(text)) return "ai-sdk";
  const items = sample && arrayField(sample, "input");
  if (items?.some((item) => isRecord(item) && isResponsesItem(item))) return "openai";
  return /"(max_tokens|anthropic_version)"\s*:/.test(text) && /"system"\s*:/.test(text) ? "anthropic" : "openai";
}
