import type { Message } from "./message.ts";
import type { Part, ToolResultPart } from "./part.ts";
import { type ToolOutput, toolOutputText } from "./tool-output.ts";

/** Returns the full text of a message. Calls and results are shown with the tool name, files with their media type. */
export function messageText(message: Message): string {
  return message.parts
    .map(partText)
    .filter((text) => text !== "")
    .join("\n");
}

function partText(part: Part): string {
  switch (part.type) {
    case "text":
    case "reasoning":
      return part.text;
    case "compaction-marker":
      return part.summary;
    case "tool-call":
      return `${part.toolName}(${JSON.stringify(part.input)})`;
    case "tool-result":
      return `${part.toolName}: ${toolOutputText(part.output)}`;
    case "file":
    case "reasoning-file":
      return `[${part.mediaType}${part.type === "file" && part.filename !== undefined ? ` ${part.filename}` : ""}]`;
    case "step-start":
      return "";
    default:
      return `[${part.type}]`;
  }
}

/** First line of a summary, for agents or chats. Summaries of earlier rounds and of other tools are found by it. */
export const SUMMARY_HEADING = /^(?:#{2,3} Session Summary\b|## Earlier in this conversation(?:\n|$))/;

/** First line, in a prompt, of a summary that has no such heading. */
export const SUMMARY_PREFIX = "[Previous conversation summary]";

/** Sent in place of an output that was marked as compacted and has no mask. */
const CLEARED_OUTPUT: ToolOutput = {
  type: "json",
  value: { status: "compacted", message: "Output cleared - see summary" },
};

/** Text of a summary as a model reads it: its first line always marks it as a summary. */
export function sentSummary(summary: string): string {
  return SUMMARY_HEADING.test(summary) ? summary : `${SUMMARY_PREFIX}\n${summary}`;
}

/** Output of a tool as a model reads it. A mask is a separate output; it has `originalTokens`. */
export function sentOutput({ output, compactedAt, originalTokens }: ToolResultPart): ToolOutput {
  return compactedAt === undefined || originalTokens !== undefined ? output : CLEARED_OUTPUT;
}

/** Maximum characters per page: the page has to fit into a window. */
const PIECE = 6_000;

/** One page of a long text. */
interface Piece {
  readonly text: string;
  readonly from: number;
  /** Start of the next page, if there is one. */
  readonly next?: number;
  /** Length of the whole text in characters. */
  readonly characters: number;
}

/** Returns the page of a text that starts at a character position. */
export function pageOf(text: string, from: number): Piece {
  const start = wholeCharacter(text, Math.min(Math.max(0, Math.floor(from)), text.length));
  const end = wholeCharacter(text, Math.min(start + PIECE, text.length));
  const piece = { text: text.slice(start, end), from: start, characters: text.length };
  return end < text.length ? { ...piece, next: end } : piece;
}

/** Moves a position that splits a surrogate pair to its start. */
function wholeCharacter(text: string, at: number): number {
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00 ? at - 1 : at;
}
