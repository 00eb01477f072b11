import { UnknownFormatError } from "../errors/input-errors.ts";
import { isRecord } from "../internal/json.ts";
import { detectLayout, type Layout } from "./detect/layout.ts";
import { formatOfRecord, isCline } from "./detect/record.ts";
import { type Sample, sampleDocument, sampleLines } from "./detect/sample.ts";
import { describeUnknown, findUnsupported } from "./detect/unsupported.ts";
import { voteOnMessages } from "./detect/vote.ts";
import { TRANSCRIPT_FORMATS, type TranscriptFormat } from "./transcript.ts";

export interface Detected {
  readonly format: TranscriptFormat;
  readonly layout: Layout;
}

/** Formats with one record per line, unless the records are the entries of a JSON array. */
const LINES: readonly TranscriptFormat[] = ["claude-code", "codex", "pi", "copilot"];

/**
 * Detects format and layout from the beginning of a text; `undefined` if no format matches.
 *
 * @param given Format, if it is known.
 */
export function detectFormat(head: string, given?: TranscriptFormat): Detected | undefined {
  const text = head.trimStart();
  const layout = detectLayout(text);
  const format = given ?? formatOf(text, takeSample(text, layout));
  if (format === undefined) return undefined;
  return { format, layout: LINES.includes(format) && !text.startsWith("[") ? "lines" : layout };
}

/** Explains why no format matches: names a known unsupported format, or the missing content. */
export function explainUnknown(head: string): UnknownFormatError {
  const text = head.trimStart();
  const sample = takeSample(text, detectLayout(text));
  const unsupported = findUnsupported(sample);
  const supported = `Supported: ${TRANSCRIPT_FORMATS.join(", ")}.`;
  if (unsupported === undefined) {
    const problem = `Unknown transcript format: ${describeUnknown(text, sample)}. ${supported}`;
    return new UnknownFormatError(problem, TRANSCRIPT_FORMATS, undefined, "If it is one of these, pass the format.");
  }
  const { name, advice } = unsupported;
  const problem = `Unsupported transcript format: this looks like ${name}. ${supported}`;
  return new UnknownFormatError(problem, TRANSCRIPT_FORMATS, name, advice);
}

function takeSample(text: string, layout: Layout): Sample {
  return layout === "lines" ? sampleLines(text) : sampleDocument(text);
}

/** Detects the format by complete records. Uses the field names in the text only if the first record is incomplete. */
function formatOf(text: string, sample: Sample): TranscriptFormat | undefined {
  const { fields, messages } = sample;
  for (const record of [...sample.records, ...messages]) {
    const format = formatOfRecord(record);
    if (format !== undefined) return format;
  }
  if (fields.has("projectHash")) return "gemini-cli";
  if (isRecord(fields.get("info")) && fields.has("messages") && messages.length === 0) return "opencode";
  if (isCline(messages)) return "cline";
  if (findUnsupported(sample) !== undefined) return undefined;
  return voteOnMessages(messages, fields) ?? (sample.isCutOff ? formatByNames(text) : undefined);
}

/** Field names that identify a format, most specific first. */
const NAMES: readonly (readonly [TranscriptFormat, RegExp])[] = [
  ["claude-code", /"(parentUuid|leafUuid)"\s*:/],
  ["codex", /"type"\s*:\s*"(session_meta|turn_context|response_item|event_msg|compacted)"\s*,\s*"payload"\s*:/],
  ["gemini-cli", /"projectHash"\s*:/],
  ["copilot", /"type"\s*:\s*"(session|user|assistant|tool|system)\.[a-z_]{1,40}"\s*,\s*"data"\s*:/],
  ["pi", /"type"\s*:\s*"session"\s*,\s*"version"\s*:\s*\d{1,9}\s*,\s*"id"\s*:/],
  ["opencode", /"(messageID|sessionID)"\s*:/],
  ["cline", /"text"\s*:\s*"(<user_input mode=|<environment_details>)/],
  ["anthropic", /"type"\s*:\s*"(tool_use|tool_result|thinking|redacted_thinking)"/],
  ["ai-sdk", /"type"\s*:\s*"(tool-call|tool-result|step-start)"|"parts"\s*:\s*\[/],
  ["openai", /"role"\s*:\s*"(system|developer|user|assistant|tool)"/],
  ["openai", /"type"\s*:\s*"(function_call|function_call_output|reasoning)"/],
];

/** Detects the format by field names, for a text whose first record is incomplete. */
function formatByNames(text: string): TranscriptFormat | undefined {
  return NAMES.find(([, names]) => names.test(text))?.[0];
}
