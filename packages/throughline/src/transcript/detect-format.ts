import { isRecord } from "../message/read-json.ts";
import { type Layout, tellLayout } from "./detect/layout.ts";
import { formatByNames } from "./detect/names.ts";
import { formatOfRecord } from "./detect/record.ts";
import { sampleDocument, sampleLines } from "./detect/sample.ts";
import { voteOnMessages } from "./detect/vote.ts";
import type { TranscriptFormat } from "./transcript.ts";

export interface Detected {
  readonly format: TranscriptFormat;
  readonly layout: Layout;
}

/**
 * Tells format and layout from the beginning of a text; `undefined` where nothing fits.
 *
 * @param given the format, where it is known
 */
export function detectFormat(head: string, given?: TranscriptFormat): Detected | undefined {
  const text = head.trimStart();
  const layout = tellLayout(text);
  const format = given ?? tellFormat(text, layout);
  if (format === undefined) return undefined;
  const isAlwaysLines = format === "claude-code" || format === "codex";
  return { format, layout: isAlwaysLines && !text.startsWith("[") ? "lines" : layout };
}

/** By what was read whole; by the names in the text only where it ends before the first record does. */
function tellFormat(text: string, layout: Layout): TranscriptFormat | undefined {
  const sample = layout === "lines" ? sampleLines(text) : sampleDocument(text);
  const { fields, messages } = sample;
  for (const record of [...sample.records, ...messages]) {
    const format = formatOfRecord(record);
    if (format !== undefined) return format;
  }
  if (fields.has("projectHash")) return "gemini-cli";
  if (isRecord(fields.get("info")) && fields.has("messages") && messages.length === 0) return "opencode";
  return voteOnMessages(messages, fields) ?? (sample.isCutOff ? formatByNames(text) : undefined);
}
