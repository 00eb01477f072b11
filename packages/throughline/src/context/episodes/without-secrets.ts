import { redactSecrets } from "../../internal/find-secrets.ts";
import { isRecord } from "../../internal/json.ts";
import type { Message } from "../../message/message.ts";
import type { Part, ToolResultPart } from "../../message/part.ts";
import { isErrorOutput, toolOutputText } from "../../message/tool-output.ts";

/** Characters at each end of a tool output that are read. The outcome is usually there. */
const END = 6_000;
/** Longer arguments are file contents and are dropped, unless they are commands. */
const MAX_ARGUMENT_LENGTH = 400;
const COMMAND = /^(?:command|cmd|script|shell_?command|input|action)$/i;
const MAX_DEPTH = 6;

/**
 * Prepares a message for learning: redacts secrets and shortens tool outputs. Redaction comes first, because half of a
 * secret is not recognized.
 */
export function withoutSecrets(message: Message): Message {
  return { ...message, parts: message.parts.map(safePart) };
}

function safePart(part: Part): Part {
  switch (part.type) {
    case "text":
      return { ...part, text: redactSecrets(part.text) };
    case "tool-call":
      return { ...part, input: safeInput(part.input) };
    case "tool-result":
      return safeResult(part);
    default:
      return part;
  }
}

function safeInput(value: unknown, isCommand = true, depth = 0): unknown {
  if (typeof value === "string") return isCommand || value.length <= MAX_ARGUMENT_LENGTH ? redactSecrets(value) : value;
  if (depth >= MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((one) => safeInput(one, isCommand, depth + 1));
  if (!isRecord(value)) return value;
  const safe = (name: string, one: unknown) => safeInput(one, COMMAND.test(name), depth + 1);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, safe(name, one)]));
}

function safeResult(part: ToolResultPart): ToolResultPart {
  if (part.output.type === "execution-denied") return part;
  const text = toolOutputText(part.output);
  // Redacted with a margin, so that a secret at the cut is recognized.
  const ends = text.length > 4 * END ? `${text.slice(0, 2 * END)}\n${text.slice(-2 * END)}` : text;
  const value = redactSecrets(ends);
  const kept = value.length > 2 * END ? `${value.slice(0, END)}\n${value.slice(-END)}` : value;
  return { ...part, output: { type: isErrorOutput(part.output) ? "error-text" : "text", value: kept } };
}
