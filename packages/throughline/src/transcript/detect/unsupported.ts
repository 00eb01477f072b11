import { isRecord, type JsonRecord } from "../../internal/json.ts";
import type { Sample } from "./sample.ts";

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
  return records.length + fields.size === 0 ? "its JSON holds no record" : "its JSON holds no messages";
}
