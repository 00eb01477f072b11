import { handleOf, type ToolResultPart } from "../message/part.ts";
import { toolOutputText } from "../message/tool-output.ts";

const PREVIEW_CHARS = 80;

/** Copy of the result with its output masked: tool, size, first line and handle. */
export function maskOutput(part: ToolResultPart, tokens: number, at: number): ToolResultPart {
  const text = toolOutputText(part.output);
  const firstLine = text.trimStart().split("\n", 1)[0]?.slice(0, PREVIEW_CHARS).trim() ?? "";
  const preview = firstLine === "" ? "" : ` It began: ${JSON.stringify(firstLine)}.`;
  const value = `[Output of ${part.toolName} masked: ${tokens.toLocaleString("en-US")} tokens.${preview} Recall it as ${handleOf(part.id)}]`;
  const { tokens: _, foreign: __, ...rest } = part;
  return { ...rest, output: { type: "text", value }, compactedAt: at, originalTokens: tokens };
}
