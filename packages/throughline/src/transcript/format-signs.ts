import { arrayField, isRecord, type JsonRecord, stringField } from "../internal/json.ts";
import { CLAUDE_CODE_BOOKKEEPING } from "./formats/claude-code.ts";
import { LIST_FIELDS, messagesIn } from "./formats/message-list.ts";
import { createDocumentSplitter, readLine } from "./read-document.ts";
import type { RecordPlace, TranscriptFormat } from "./transcript.ts";

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

const MAX_MESSAGES = 50;
const PIECE = 64 * 1024;

/** Readable beginning of a transcript. */
export interface Sample {
  /** Lines, or entries of an array. */
  readonly records: readonly JsonRecord[];
  /** Top-level fields of a document, or of sessions with one line each. */
  readonly fields: ReadonlyMap<string, unknown>;
  readonly messages: readonly JsonRecord[];
  /** True if the text ends inside a value. */
  readonly isCutOff: boolean;
}

export function sampleLines(text: string): Sample {
  const read = text.split("\n").filter((line) => line.trimStart().startsWith("{"));
  const records = read.flatMap((line) => readLine(line) ?? []).filter(isRecord);
  const sessions = records.filter((record) => messagesIn(record) !== undefined);
  const messages = records.flatMap((record) => messagesIn(record)?.filter(isRecord) ?? [record]);
  return {
    records,
    fields: new Map(sessions.flatMap((session) => Object.entries(session))),
    messages: messages.slice(0, MAX_MESSAGES),
    isCutOff: records.length === 0 && text.startsWith("{"),
  };
}

/** Depth of `simulations[0].messages[0]`: the first session may be longer than the text. */
const DEPTHS = ["$.*", "$.*.*", "$.*.*.*", "$.*.*.*.*"];

export function sampleDocument(text: string): Sample {
  const records: JsonRecord[] = [];
  const fields = new Map<string, unknown>();
  const messages: JsonRecord[] = [];
  let isCutOff = false;
  const take = (value: unknown, { path }: RecordPlace) => {
    const field = path.at(-2);
    const isEntry = typeof path.at(-1) === "number";
    if (path.length === 1 && !isEntry) fields.set(String(path[0]), value);
    if (!isEntry || !isRecord(value)) return;
    if (path.length === 1) records.push(value);
    const isListed = path.length === 1 || LIST_FIELDS.includes(String(field));
    if (isListed && messagesIn(value) === undefined) messages.push(value);
  };
  const splitter = createDocumentSplitter(DEPTHS, take, () => {
    isCutOff = true;
  });
  for (let at = 0; at < text.length && messages.length < MAX_MESSAGES; at += PIECE) {
    splitter.push(text.slice(at, at + PIECE));
  }
  splitter.end();
  return { records, fields, messages: messages.slice(0, MAX_MESSAGES), isCutOff };
}

/** A known file format that cannot be read. */
export interface Unsupported {
  /** Name with its article: `a ChatGPT export`. */
  readonly name: string;
  /** Advice: the file to use instead. */
  readonly advice: string;
}

interface Known extends Unsupported {
  readonly fits: (record: JsonRecord) => boolean;
}

const has = (...fields: readonly string[]) => {
  return (record: JsonRecord) => fields.every((field) => field in record);
};

const KNOWN: readonly Known[] = [
  {
    name: "a ChatGPT export",
    advice: "Conversations are not supported yet. Import the memories as text: `throughline import FILE --memories`.",
    fits: (record) => isRecord(record.mapping) && ("current_node" in record || "conversation_id" in record),
  },
  {
    name: "a Claude.ai export",
    advice: "Conversations are not supported yet. Import the memories as text: `throughline import FILE --memories`.",
    fits: ({ chat_messages }) => Array.isArray(chat_messages),
  },
  {
    name: "a VS Code chat export",
    advice: "Pass a session of Copilot CLI (~/.copilot/session-state/ID/events.jsonl) or of another agent.",
    fits: (record) => Array.isArray(record.requests) && has("responderUsername")(record),
  },
  {
    name: "Cline's ui_messages.json",
    advice: "Pass the api_conversation_history.json in the same folder.",
    fits: ({ ts, type, say, ask }) =>
      typeof ts === "number" && ((type === "say" && typeof say === "string") || (type === "ask" && ask !== undefined)),
  },
  {
    name: "the prompt history of Claude Code",
    advice: "Pass the sessions: ~/.claude/projects/*/*.jsonl.",
    fits: has("display", "pastedContents"),
  },
  {
    name: "the prompt history of Codex",
    advice: "Pass the sessions: ~/.codex/sessions/**/rollout-*.jsonl.",
    fits: ({ session_id, ts, text }) =>
      typeof session_id === "string" && typeof ts === "number" && typeof text === "string",
  },
  {
    name: "the prompt log of Gemini CLI",
    advice: "Pass the sessions: ~/.gemini/tmp/*/chats/session-*.",
    fits: (record) => has("sessionId", "messageId", "message")(record) && record.type === "user",
  },
  {
    name: "a request to Gemini",
    advice: "Pass the session that Gemini CLI stored: ~/.gemini/tmp/*/chats/session-*.",
    fits: ({ contents, role, parts }) =>
      (role === "model" && Array.isArray(parts)) ||
      (Array.isArray(contents) && contents.some((one) => isRecord(one) && Array.isArray(one.parts))),
  },
  {
    name: "a ShareGPT conversation",
    advice: "Convert it to a list of {role, content} first.",
    fits: ({ conversations }) =>
      Array.isArray(conversations) && conversations.some((one) => isRecord(one) && "from" in one && "value" in one),
  },
];

/** Finds a format that is known but not supported. */
export function findUnsupported({ records, fields }: Sample): Unsupported | undefined {
  // A record with a role is a message, so it is not tested.
  const tried = [Object.fromEntries(fields), ...records].filter(({ role }) => role === undefined || role === "model");
  return KNOWN.find(({ fits }) => tried.some(fits));
}

/** Describes a text without records of a known format. */
export function describeUnknown(text: string, { records, fields }: Sample): string {
  if (text.startsWith("SQLite format 3\0")) return "it is an SQLite database";
  if (text.includes("\0")) return "it is binary data";
  if (!/^[[{]/.test(text) && records.length === 0) return "it is not JSON";
  return records.length + fields.size === 0 ? "its JSON has no records" : "its JSON has no messages";
}
