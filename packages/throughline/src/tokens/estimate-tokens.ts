import { isRecord } from "../internal/json.ts";
import type { ForeignModelMessage } from "../message/convert/ai-sdk.ts";
import type { Message } from "../message/message.ts";
import { sentOutput, sentSummary } from "../message/message-text.ts";
import type { Part } from "../message/part.ts";
import { toRichWindow } from "../message/to-rich-window.ts";
import { jsonText } from "./count-bytes.ts";

const CHARS_PER_TOKEN = 4;
const ROLE_TOKENS = 2;

/**
 * Estimates tokens quickly: four characters per token. Too low for code, JSON, base64 and most non-Latin scripts, so do
 * not use it near a limit.
 *
 * @param text Text to estimate.
 *
 * @example
 * estimateTokens("Hello, world"); // 3
 */
export function estimateTokens(text: string): number {
  if (!text || typeof text !== "string") return 0;
  return Math.ceil(text.length / CHARS_PER_TOKEN);
}

/**
 * Estimates the tokens of a list of messages: four characters per token.
 *
 * @param messages Throughline messages, AI SDK messages, or a mix of both.
 *
 * @example
 * estimateMessagesTokens([{ role: "user", content: "Hello, world" }]); // 5
 */
export function estimateMessagesTokens(messages: readonly (Message | ForeignModelMessage)[]): number {
  return toRichWindow(messages).reduce(
    (total, message) =>
      total + ROLE_TOKENS + message.parts.reduce((sum, part) => sum + estimatePart(part), estimateToolCalls(message)),
    0,
  );
}

/** Estimates calls beside the content of an assistant message (`toolCalls`), which are not parts. */
function estimateToolCalls({ role, foreign }: Message): number {
  const calls = role === "assistant" ? foreign?.fields?.toolCalls : undefined;
  if (!Array.isArray(calls)) return 0;
  return calls.filter(isRecord).reduce((sum: number, { toolName, args, input }) => {
    const name = typeof toolName === "string" ? toolName : "";
    return sum + estimateTokens(name) + estimateTokens(jsonOf(args ?? input));
  }, 0);
}

function estimatePart(part: Part): number {
  switch (part.type) {
    case "text":
    case "reasoning":
      return estimateTokens(part.text);
    case "compaction-marker":
      return estimateTokens(sentSummary(part.summary));
    case "tool-call":
      return estimateTokens(part.toolName) + estimateTokens(jsonOf(part.input));
    case "tool-result": {
      const output = sentOutput(part);
      const value = output.type === "execution-denied" ? output.reason : output.value;
      return estimateTokens(jsonOf(value));
    }
    default:
      return 0;
  }
}

/** JSON text; strings keep their quotes. */
function jsonOf(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value) : jsonText(value);
}
