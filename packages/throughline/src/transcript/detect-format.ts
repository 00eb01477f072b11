import { UnknownFormatError } from "../errors/input-errors.ts";
import { arrayField, isRecord, type JsonRecord } from "../internal/json.ts";
import {
  describeUnknown,
  findUnsupported,
  formatOfRecord,
  isCline,
  type Sample,
  sampleDocument,
  sampleLines,
} from "./format-signs.ts";
import { isResponsesItem, LIST_FIELDS, SESSION_FIELDS } from "./formats/message-list.ts";
import { createDocumentSplitter, readLine } from "./read-document.ts";
import { TRANSCRIPT_FORMATS, type TranscriptFormat } from "./transcript.ts";

export interface Detected {
  readonly format: TranscriptFormat;
  readonly layout: Layout;
}

/** Formats with one record per line, unless the records are the entries of a JSON array. */
const LINES: readonly TranscriptFormat[] = ["claude-code", "codex", "pi", "copilot"];

/**
 * Detects format and layout from the beginning of a text; `undefined` if no format matches.
 *
 * @param given Format, if it is known.
 */
export function detectFormat(head: string, given?: TranscriptFormat): Detected | undefined {
  const text = head.trimStart();
  const layout = detectLayout(text);
  const format = given ?? formatOf(text, takeSample(text, layout));
  if (format === undefined) return undefined;
  return { format, layout: LINES.includes(format) && !text.startsWith("[") ? "lines" : layout };
}

/** Explains why no format matches: names a known unsupported format, or the missing content. */
export function explainUnknown(head: string): UnknownFormatError {
  const text = head.trimStart();
  const sample = takeSample(text, detectLayout(text));
  const unsupported = findUnsupported(sample);
  const supported = `Supported: ${TRANSCRIPT_FORMATS.join(", ")}.`;
  if (unsupported === undefined) {
    const problem = `Unknown transcript format: ${describeUnknown(text, sample)}. ${supported}`;
    return new UnknownFormatError(problem, TRANSCRIPT_FORMATS, undefined, "If it is one of these, pass the format.");
  }
  const { name, advice } = unsupported;
  const problem = `Unsupported transcript format: this looks like ${name}. ${supported}`;
  return new UnknownFormatError(problem, TRANSCRIPT_FORMATS, name, advice);
}

function takeSample(text: string, layout: Layout): Sample {
  return layout === "lines" ? sampleLines(text) : sampleDocument(text);
}

/** Detects the format by complete records. Uses the field names in the text only if the first record is incomplete. */
function formatOf(text: string, sample: Sample): TranscriptFormat | undefined {
  const { fields, messages } = sample;
  for (const record of [...sample.records, ...messages]) {
    const format = formatOfRecord(record);
    if (format !== undefined) return format;
  }
  if (fields.has("projectHash")) return "gemini-cli";
  if (isRecord(fields.get("info")) && fields.has("messages") && messages.length === 0) return "opencode";
  if (isCline(messages)) return "cline";
  if (findUnsupported(sample) !== undefined) return undefined;
  return voteOnMessages(messages, fields) ?? (sample.isCutOff ? formatByNames(text) : undefined);
}

/** Field names that identify a format, most specific first. */
const NAMES: readonly (readonly [TranscriptFormat, RegExp])[] = [
  ["claude-code", /"(parentUuid|leafUuid)"\s*:/],
  ["codex", /"type"\s*:\s*"(session_meta|turn_context|response_item|event_msg|compacted)"\s*,\s*"payload"\s*:/],
  ["gemini-cli", /"projectHash"\s*:/],
  ["copilot", /"type"\s*:\s*"(session|user|assistant|tool|system)\.[a-z_]{1,40}"\s*,\s*"data"\s*:/],
  ["pi", /"type"\s*:\s*"session"\s*,\s*"version"\s*:\s*\d{1,9}\s*,\s*"id"\s*:/],
  ["opencode", /"(messageID|sessionID)"\s*:/],
  ["cline", /"text"\s*:\s*"(<user_input mode=|<environment_details>)/],
  ["anthropic", /"type"\s*:\s*"(tool_use|tool_result|thinking|redacted_thinking)"/],
  ["ai-sdk", /"type"\s*:\s*"(tool-call|tool-result|step-start)"|"parts"\s*:\s*\[/],
  ["openai", /"role"\s*:\s*"(system|developer|user|assistant|tool)"/],
  ["openai", /"type"\s*:\s*"(function_call|function_call_output|reasoning)"/],
];

/** Detects the format by field names, for a text whose first record is incomplete. */
function formatByNames(text: string): TranscriptFormat | undefined {
  return NAMES.find(([, names]) => names.test(text))?.[0];
}

type ListFormat = Extract<TranscriptFormat, "openai" | "anthropic" | "ai-sdk">;

const ROLES: readonly unknown[] = ["system", "developer", "user", "assistant", "tool"];
const ORDER: readonly ListFormat[] = ["openai", "anthropic", "ai-sdk"];

/**
 * Detects whose messages these are, by the fields of each message; `undefined` if they are not messages. Plain text
 * messages look the same in all formats and default to OpenAI's.
 */
function voteOnMessages(messages: readonly JsonRecord[], fields: ReadonlyMap<string, unknown>): ListFormat | undefined {
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

/** Layout of a transcript: one record per line, or one JSON document. */
type Layout = "lines" | "document";

/**
 * Detects the layout. One JSON value that fills the text is a document; everything else is lines, even if the first
 * line is incomplete.
 */
function detectLayout(text: string): Layout {
  if (text.startsWith("[")) return "document";
  if (!text.startsWith("{")) return "lines";
  const end = text.indexOf("\n");
  const first = end < 0 ? text : text.slice(0, end);
  const rest = end < 0 ? "" : text.slice(end).trimStart();
  const records = readLine(first);
  if (records === undefined) return rest === "" || continuesBelow(first, rest) ? "document" : "lines";
  return rest === "" && records.length === 1 && records.every(holdsMessages) ? "document" : "lines";
}

/** True if the value of the first line continues on the next line, i.e. no new record begins there. */
function continuesBelow(first: string, rest: string): boolean {
  let isOneValue = true;
  const splitter = createDocumentSplitter(
    ["$.*"],
    () => undefined,
    () => {
      isOneValue = false;
    },
  );
  splitter.push(`${first}\n${nextOf(rest)}`);
  return isOneValue;
}

/**
 * Text up to the first decisive character: a line that is a record may be the only entry of an array, if the array is
 * closed.
 */
function nextOf(rest: string): string {
  const [second = ""] = rest.split("\n", 1);
  const after = rest.slice(second.length).trimStart();
  return second.startsWith("{") && readLine(second) !== undefined
    ? `${second}\n${after.slice(0, 1) || "{"}`
    : rest.slice(0, 1);
}

function holdsMessages(record: unknown): boolean {
  return isRecord(record) && [...LIST_FIELDS, ...SESSION_FIELDS].some((field) => Array.isArray(record[field]));
}
