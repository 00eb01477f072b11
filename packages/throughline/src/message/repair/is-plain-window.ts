import { isRecord } from "../../internal/json.ts";
import { isSameTurn, PORTABLE_TOOL_CALL_ID, PORTABLE_TOOL_NAME } from "../legality-rules.ts";
import type { Message } from "../message.ts";
import type { Part } from "../part.ts";

/** Properties of a message for the quick check of a window. */
interface MessageFacts {
  /** True if the message consists of plain parts that its role may hold: texts, files, calls and results. */
  readonly isPlain: boolean;
  readonly calls: readonly string[];
  readonly results: readonly string[];
}

/** Cache: messages are immutable, so that a long window costs little more than its new messages. */
const facts = new WeakMap<Message, MessageFacts>();

/**
 * True if a window is legal for every provider at first glance: the roles alternate, each call is answered directly
 * after it, and nothing in it needs a closer look. Most windows of a running session are.
 */
export function isPlainWindow(messages: readonly Message[]): boolean {
  const used = new Set<string>();
  /** Calls of the last assistant message that have no result yet. */
  let open = new Set<string>();
  let before: Message | undefined;
  for (const message of messages) {
    const { isPlain, calls, results } = factsOf(message);
    if (!isPlain || !mayFollow(before, message)) return false;
    if (message.role !== "tool" && open.size > 0) return false;
    for (const id of results) if (!open.delete(id)) return false;
    for (const id of calls) {
      if (used.has(id)) return false;
      used.add(id);
    }
    if (calls.length > 0) open = new Set(calls);
    before = message;
  }
  return before !== undefined && before.role !== "system" && open.size === 0;
}

/** System messages come first, then the user; user and assistant alternate. */
function mayFollow(before: Message | undefined, message: Message): boolean {
  if (message.role === "system") return before === undefined || before.role === "system";
  if (before === undefined || before.role === "system") return message.role === "user";
  return !isSameTurn(before, message);
}

function factsOf(message: Message): MessageFacts {
  let known = facts.get(message);
  if (known === undefined) {
    known = readFacts(message);
    facts.set(message, known);
  }
  return known;
}

function readFacts({ role, parts, providerOptions }: Message): MessageFacts {
  const isPlain = parts.length > 0 && providerOptions === undefined && parts.every((part) => isPlainPart(role, part));
  const idsOf = (type: Part["type"]) =>
    parts.flatMap((part) => (part.type === type && "toolCallId" in part ? [part.toolCallId] : []));
  return { isPlain, calls: idsOf("tool-call"), results: idsOf("tool-result") };
}

/** Marks of the prompt cache are among the provider options, and their number is limited. */
function isPlainPart(role: Message["role"], part: Part): boolean {
  if (part.providerOptions !== undefined) return false;
  switch (part.type) {
    case "text":
      return role !== "tool" && part.text.trim() !== "";
    case "compaction-marker":
      return role === "assistant" && part.summary.trim() !== "";
    case "file":
      return (role === "user" || role === "assistant") && part.data.type !== "reference";
    case "tool-call":
      return role === "assistant" && part.providerExecuted !== true && isRecord(part.input) && isPortable(part);
    case "tool-result":
      return (
        role === "tool" &&
        part.providerExecuted !== true &&
        part.output.providerOptions === undefined &&
        isPortable(part)
      );
    default:
      return false;
  }
}

function isPortable({ toolCallId, toolName }: { readonly toolCallId: string; readonly toolName: string }): boolean {
  return PORTABLE_TOOL_CALL_ID.test(toolCallId) && PORTABLE_TOOL_NAME.test(toolName);
}
