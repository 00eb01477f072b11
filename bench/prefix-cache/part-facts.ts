import type { Message, Part } from "throughline";
import { countPartTokens } from "throughline/tokens";
import { readPart } from "../compaction/message-text.ts";

const ROLE_TOKENS = 4;
const keys = new WeakMap<Part, string>();
const counts = new Map<string, number>();

/** Parts with the same key have the same bytes for a provider. */
function partKey(part: Part): string {
  const known = keys.get(part);
  if (known !== undefined) return known;
  const id = part.type === "tool-call" || part.type === "tool-result" ? part.toolCallId : "";
  const key = `${part.type} ${id} ${readPart(part)}`;
  keys.set(part, key);
  return key;
}

/**
 * The messages with their token counts. Methods that convert messages create new parts each turn; counting them again
 * would take most of the time, which is not measured here.
 */
export function withCounts(messages: readonly Message[]): Message[] {
  return messages.map((message) => {
    const parts = message.parts.map((part) => {
      const key = partKey(part);
      const tokens = counts.get(key) ?? countPartTokens(part);
      counts.set(key, tokens);
      return { ...part, tokens };
    });
    return { ...message, parts, tokens: parts.reduce((sum, part) => sum + part.tokens, ROLE_TOKENS) };
  });
}

export function isSameMessage(a: Message, b: Message): boolean {
  return (
    a === b ||
    (a.role === b.role &&
      a.parts.length === b.parts.length &&
      a.parts.every((part, index) => {
        const other = b.parts[index];
        return other !== undefined && (part === other || partKey(part) === partKey(other));
      }))
  );
}

/** Clears the counts of the previous session. */
export function forgetCounts(): void {
  counts.clear();
}
