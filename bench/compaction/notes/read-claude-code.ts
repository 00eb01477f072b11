import type { TranscriptMessage, TranscriptPart } from "./transcript.ts";

type Row = Readonly<Record<string, unknown>>;

/**
 * Reads a Claude Code transcript without the importer of the product, so that a defect of the importer cannot hide a
 * defect of a summary. Lines that share a message id are one message; lines of sub-agents and broken lines are left
 * out.
 */
export function readClaudeCode(text: string): TranscriptMessage[] {
  const messages: (TranscriptMessage & { readonly parts: TranscriptPart[] })[] = [];
  let replyId: unknown;
  for (const [line, source] of text.split("\n").entries()) {
    const row = parseRow(source);
    const message = row?.message as Row | undefined;
    if (row === undefined || !message || row.isSidechain || (row.type !== "user" && row.type !== "assistant")) continue;
    const parts = readBlocks(message.content);
    const before = messages.at(-1);
    if (before?.role === "assistant" && row.type === "assistant" && replyId === message.id) before.parts.push(...parts);
    else messages.push({ role: row.type, parts, isSummary: Boolean(row.isCompactSummary), line });
    replyId = message.id;
  }
  return messages;
}

function parseRow(source: string): Row | undefined {
  if (source === "") return undefined;
  try {
    const value: unknown = JSON.parse(source);
    return typeof value === "object" && value !== null ? (value as Row) : undefined;
  } catch {
    return undefined;
  }
}

function readBlocks(content: unknown): TranscriptPart[] {
  if (typeof content === "string") return content === "" ? [] : [{ kind: "text", text: content }];
  return Array.isArray(content) ? content.map(readBlock) : [];
}

function readBlock(block: Row): TranscriptPart {
  switch (block.type) {
    case "text":
      return { kind: "text", text: String(block.text ?? "") };
    case "thinking":
    case "redacted_thinking":
      return { kind: "reasoning", text: String(block.thinking || "") };
    case "tool_use":
      return { kind: "call", id: String(block.id), name: String(block.name), input: block.input };
    case "tool_result":
      return {
        kind: "result",
        id: String(block.tool_use_id),
        isError: Boolean(block.is_error),
        text: readOutput(block.content),
      };
    default:
      return { kind: "text", text: `[${block.type}]` };
  }
}

function readOutput(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((item: Row) => (item.text ? String(item.text) : `[${item.type}]`)).join("\n");
}
