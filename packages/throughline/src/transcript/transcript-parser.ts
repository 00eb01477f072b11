import { UnknownFormatError, UnreadableTranscriptError } from "../errors/input-errors.ts";
import { type Detected, detectFormat, explainUnknown } from "./detect-format.ts";
import { ClaudeCodeReader } from "./formats/claude-code.ts";
import { CLINE_PATHS, ClineReader } from "./formats/cline.ts";
import { CodexReader } from "./formats/codex.ts";
import { CopilotReader } from "./formats/copilot.ts";
import { GeminiReader } from "./formats/gemini-cli.ts";
import { LIST_PATHS, ListReader } from "./formats/message-list.ts";
import { OpenCodeReader } from "./formats/opencode.ts";
import { PiReader } from "./formats/pi.ts";
import { createDocumentSplitter, createLineSplitter, readLine } from "./read-document.ts";
import { skipBroken } from "./session-writer.ts";
import {
  type Emit,
  type RecordPlace,
  type RecordReader,
  TRANSCRIPT_FORMATS,
  type TranscriptEvent,
  type TranscriptFormat,
} from "./transcript.ts";

const READERS: Readonly<Record<TranscriptFormat, (emit: Emit) => RecordReader>> = {
  "claude-code": (emit) => new ClaudeCodeReader(emit),
  codex: (emit) => new CodexReader(emit),
  opencode: (emit) => new OpenCodeReader(emit),
  "gemini-cli": (emit) => new GeminiReader(emit),
  cline: (emit) => new ClineReader(emit),
  pi: (emit) => new PiReader(emit),
  copilot: (emit) => new CopilotReader(emit),
  openai: (emit) => new ListReader(emit, "openai"),
  anthropic: (emit) => new ListReader(emit, "anthropic"),
  "ai-sdk": (emit) => new ListReader(emit, "ai-sdk"),
};

/** Paths to read in a document of each format. An array holds one record per entry. */
const ENTRIES = ["$.*"];
const PATHS: Readonly<Record<TranscriptFormat, readonly string[]>> = {
  "claude-code": ENTRIES,
  codex: ENTRIES,
  opencode: ["$.info", "$.messages.*"],
  "gemini-cli": ["$.sessionId", "$.startTime", "$.summary", "$.messages.*"],
  cline: CLINE_PATHS,
  pi: ENTRIES,
  copilot: ENTRIES,
  openai: LIST_PATHS,
  anthropic: LIST_PATHS,
  "ai-sdk": LIST_PATHS,
};

/** Parses a transcript in chunks of text and emits its content. */
export class TranscriptParser {
  readonly #emit: Emit;
  readonly #given: TranscriptFormat | undefined;
  #source: { push(chunk: string): void; end(): void } | undefined;
  #reader: RecordReader | undefined;
  /** Beginning of the text, until the format is known. */
  #head = new TranscriptHead();
  /** True if at least one record was read. An opened session does not count. */
  #understood = false;
  #firstProblem: string | undefined;

  constructor(emit: Emit, format?: TranscriptFormat) {
    if (format !== undefined && !TRANSCRIPT_FORMATS.includes(format)) {
      throw new UnknownFormatError(`Unknown transcript format "${String(format)}".`, TRANSCRIPT_FORMATS);
    }
    this.#given = format;
    this.#emit = (event: TranscriptEvent) => {
      this.#understood ||= hasContent(event);
      if (event.type === "skipped") this.#firstProblem ??= `record ${event.skipped.line}: ${event.skipped.text}`;
      emit(event);
    };
  }

  push(chunk: string): void {
    if (this.#source !== undefined) {
      this.#source.push(chunk);
      return;
    }
    this.#head.push(chunk);
    if (this.#head.isEnough) this.#start();
  }

  /** @throws UnreadableTranscriptError if no record could be read. */
  end(): void {
    if (this.#source === undefined) this.#start();
    this.#source?.end();
    this.#reader?.end();
    if (this.#understood) return;
    throw new UnreadableTranscriptError(
      `Could not read any record of the transcript${this.#firstProblem === undefined ? "" : `: ${this.#firstProblem}`}.`,
      `Check that it is a transcript in one of these formats: ${TRANSCRIPT_FORMATS.join(", ")}.`,
    );
  }

  #start(): void {
    const { text } = this.#head;
    const { format, layout } = this.#detect();
    this.#emit({ type: "format", format });
    const reader = READERS[format](this.#emit);
    this.#reader = reader;
    const take = (record: unknown, place: RecordPlace) =>
      skipBroken(this.#emit, place.line, () => reader.push(record, place));
    const broken = (line: number, problem: string) =>
      this.#emit({ type: "skipped", skipped: { line, kind: "broken", text: problem } });
    this.#source =
      layout === "document"
        ? createDocumentSplitter(/^\s*\[/.test(text) ? ENTRIES : PATHS[format], take, broken)
        : createLineSplitter((one, line) => {
            const records = readLine(one);
            if (records === undefined) broken(line, "not JSON, or cut off");
            for (const record of records ?? []) take(record, { line, path: [] });
          });
    this.#head = new TranscriptHead();
    this.#source.push(text);
  }

  #detect(): Detected {
    if (this.#head.text.trim() === "") {
      throw new UnreadableTranscriptError("The transcript is empty.", "Pass a file with at least one message.");
    }
    const detected = detectFormat(this.#head.sample, this.#given);
    if (detected !== undefined) return detected;
    throw explainUnknown(this.#head.sample);
  }
}

function hasContent(event: TranscriptEvent): boolean {
  if (event.type === "session") return Object.keys(event.meta).length > 0;
  return event.type !== "format" && event.type !== "skipped";
}

/** Characters to inspect, unless the first line is longer. */
const HEAD_LENGTH = 256 * 1024;
/** Maximum length of a first line that is inspected as a whole. */
const MAX_FIRST_LINE = 8 * 1024 * 1024;

/** Buffers the beginning of a text until the format can be detected. */
class TranscriptHead {
  text = "";
  #hasBegun = false;
  #hasLine = false;

  push(chunk: string): void {
    const said = this.#hasBegun ? chunk : chunk.trimStart();
    this.#hasBegun ||= said !== "";
    this.#hasLine ||= said.includes("\n");
    this.text += chunk;
  }

  get isEnough(): boolean {
    return this.text.length >= MAX_FIRST_LINE || (this.#hasLine && this.text.length >= HEAD_LENGTH);
  }

  /** Text for the detection: independent of the chunks in which the text arrived. */
  get sample(): string {
    const firstLine = this.text.indexOf("\n", this.text.search(/\S/));
    const wanted = firstLine < 0 ? MAX_FIRST_LINE : Math.min(firstLine + 1, MAX_FIRST_LINE);
    return this.text.slice(0, Math.max(HEAD_LENGTH, wanted));
  }
}
