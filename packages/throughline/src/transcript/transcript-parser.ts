import { InvalidMessageError } from "../errors/invalid-message-error.ts";
import { UnknownFormatError } from "../errors/unknown-format-error.ts";
import { UnreadableTranscriptError } from "../errors/unreadable-transcript-error.ts";
import { type Detected, detectFormat, detectLayout, SNIFF_CHARS } from "./detect-format.ts";
import { ClaudeCodeReader } from "./formats/claude-code.ts";
import { createCodexReader } from "./formats/codex.ts";
import { createGeminiReader } from "./formats/gemini-cli.ts";
import { createListReader, LIST_PATHS } from "./formats/message-list.ts";
import { createOpenCodeReader } from "./formats/opencode.ts";
import { createDocumentSplitter } from "./read-document.ts";
import { createLineSplitter, readLine } from "./read-lines.ts";
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
  codex: createCodexReader,
  opencode: createOpenCodeReader,
  "gemini-cli": createGeminiReader,
  openai: (emit) => createListReader(emit, "openai"),
  anthropic: (emit) => createListReader(emit, "anthropic"),
  "ai-sdk": (emit) => createListReader(emit, "ai-sdk"),
};

/** What is looked for in a document of each format; one that is a list holds a record per entry. */
const ENTRIES = ["$.*"];
const PATHS: Readonly<Record<TranscriptFormat, readonly string[]>> = {
  "claude-code": ENTRIES,
  codex: ENTRIES,
  opencode: ["$.info", "$.messages.*"],
  "gemini-cli": ["$.sessionId", "$.startTime", "$.summary", "$.messages.*"],
  openai: LIST_PATHS,
  anthropic: LIST_PATHS,
  "ai-sdk": LIST_PATHS,
};

/** Takes a transcript in pieces of text and tells what it holds. */
export class TranscriptParser {
  readonly #emit: Emit;
  readonly #given: TranscriptFormat | undefined;
  #source: { push(chunk: string): void; end(): void } | undefined;
  #reader: RecordReader | undefined;
  /** The beginning, until the format is known. */
  #head = "";
  /** Whether a single record was understood. */
  #understood = false;
  #firstProblem: string | undefined;

  constructor(emit: Emit, format?: TranscriptFormat) {
    if (format !== undefined && !TRANSCRIPT_FORMATS.includes(format)) {
      throw new UnknownFormatError(`There is no format "${String(format)}".`, TRANSCRIPT_FORMATS);
    }
    this.#given = format;
    this.#emit = (event: TranscriptEvent) => {
      if (event.type === "message" || event.type === "session" || event.type === "passed-over") this.#understood = true;
      if (event.type === "skipped") this.#firstProblem ??= `record ${event.skipped.line}: ${event.skipped.text}`;
      emit(event);
    };
  }

  push(chunk: string): void {
    if (this.#source === undefined) {
      this.#head += chunk;
      if (this.#head.length >= SNIFF_CHARS) this.#start(false);
    } else {
      this.#source.push(chunk);
    }
  }

  /** @throws UnreadableTranscriptError where not one record could be read. */
  end(): void {
    if (this.#source === undefined) this.#start(true);
    this.#source?.end();
    if (this.#understood || this.#firstProblem === undefined) this.#reader?.end();
    if (this.#understood) return;
    throw new UnreadableTranscriptError(
      `Nothing in it could be read${this.#firstProblem === undefined ? "" : `; ${this.#firstProblem}`}.`,
      `Check that it is a transcript in one of these formats: ${TRANSCRIPT_FORMATS.join(", ")}.`,
    );
  }

  #start(whole: boolean): void {
    const { format, layout } = this.#detect(whole);
    this.#emit({ type: "format", format });
    const reader = READERS[format](this.#emit);
    this.#reader = reader;
    const take = (record: unknown, place: RecordPlace) => this.#take(reader, record, place);
    const broken = (line: number, text: string) =>
      this.#emit({ type: "skipped", skipped: { line, kind: "broken", text } });
    this.#source =
      layout === "document"
        ? createDocumentSplitter(/^\s*\[/.test(this.#head) ? ENTRIES : PATHS[format], take, broken)
        : createLineSplitter((text, line) => {
            const records = readLine(text);
            if (records === undefined) broken(line, "not JSON, or cut off");
            for (const record of records ?? []) take(record, { line, path: [] });
          });
    this.#source.push(this.#head);
    this.#head = "";
  }

  #detect(whole: boolean): Detected {
    if (this.#head.trim() === "") {
      throw new UnreadableTranscriptError("The transcript is empty.", "Give a file with at least one message.");
    }
    const format = this.#given;
    if (format !== undefined) return { format, layout: detectLayout(format, this.#head, whole) };
    const detected = detectFormat(this.#head, whole);
    if (detected !== undefined) return detected;
    throw new UnknownFormatError("The format of this transcript could not be told.", TRANSCRIPT_FORMATS);
  }

  #take(reader: RecordReader, record: unknown, place: RecordPlace): void {
    try {
      reader.push(record, place);
    } catch (error) {
      if (!(error instanceof InvalidMessageError)) throw error;
      this.#emit({ type: "skipped", skipped: { line: place.line, kind: "broken", text: error.problem } });
    }
  }
}
