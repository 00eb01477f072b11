import { UnknownFormatError } from "../errors/unknown-format-error.ts";
import { isRecord } from "../internal/json.ts";
import { type Layout, tellLayout } from "./detect/layout.ts";
import { formatByNames } from "./detect/names.ts";
import { formatOfRecord, isCline } from "./detect/record.ts";
import { type Sample, sampleDocument, sampleLines } from "./detect/sample.ts";
import { describeUnknown, findUnsupported } from "./detect/unsupported.ts";
import { voteOnMessages } from "./detect/vote.ts";
import { TRANSCRIPT_FORMATS, type TranscriptFormat } from "./transcript.ts";

export interface Detected {
  readonly format: TranscriptFormat;
  readonly layout: Layout;
}

/** Formats that are a line per record, unless the records are the entries of a list. */
const LINES: readonly TranscriptFormat[] = ["claude-code", "codex", "pi", "copilot"];

/**
 * Tells format and layout from the beginning of a text; `undefined` if no format fits.
 *
 * @param given the format, if it is known
 */
export function detectFormat(head: string, given?: TranscriptFormat): Detected | undefined {
  const text = head.trimStart();
  const layout = tellLayout(text);
  const format = given ?? tellFormat(text, takeSample(text, layout));
  if (format === undefined) return undefined;
  return { format, layout: LINES.includes(format) && !text.startsWith("[") ? "lines" : layout };
}

/** Why no format fits: the name of what the text looks like, or what it lacks. */
export function explainUnknown(head: string): UnknownFormatError {
  const text = head.trimStart();
  const sample = takeSample(text, tellLayout(text));
  const unsupported = findUnsupported(sample);
  const supported = `Supported: ${TRANSCRIPT_FORMATS.join(", ")}.`;
  if (unsupported === undefined) {
    const problem = `Not a known transcript: ${describeUnknown(text, sample)}. ${supported}`;
    return new UnknownFormatError(problem, TRANSCRIPT_FORMATS);
  }
  const { name, advice } = unsupported;
  const problem = `This looks like ${name}, which is not supported. ${supported}`;
  return new UnknownFormatError(problem, TRANSCRIPT_FORMATS, name, advice);
}

function takeSample(text: string, layout: Layout): Sample {
  return layout === "lines" ? sampleLines(text) : sampleDocument(text);
}

/** By the records that could be read; by the names in the text only if it ends before the first record does. */
function tellFormat(text: string, sample: Sample): TranscriptFormat | undefined {
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
