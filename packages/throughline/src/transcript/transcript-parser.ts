import { UnknownFormatError } from "../errors/unknown-format-error.ts";
import { UnreadableTranscriptError } from "../errors/unreadable-transcript-error.ts";
import { type Detected, detectFormat, explainUnknown } from "./detect-format.ts";
import { ClaudeCodeReader } from "./formats/claude-code.ts";
import { CLINE_PATHS, ClineReader } from "./formats/cline.ts";
import { CodexReader } from "./formats/codex.ts";
import { CopilotReader } from "./formats/copilot.ts";
import { GeminiReader } from "./formats/gemini-cli.ts";
import { LIST_PATHS, ListReader } from "./formats/message-list.ts";
import { OpenCodeReader } from "./formats/opencode.ts";
import { PiReader } from "./formats/pi.ts";
import { createDocumentSplitter } from "./read-document.ts";
import { TranscriptHead } from "./read-head.ts";
import { createLineSplitter, readLine } from "./read-lines.ts";
import { skipBroken } from "./skip-broken.ts";
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

/** What is looked for in a document of each format; one that is a list holds a record per entry. */
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

/** Takes a transcript in pieces of text and tells what it holds. */
export class TranscriptParser {
  readonly #emit: Emit;
  readonly #given: TranscriptFormat | undefined;
  #source: { push(chunk: string): void; end(): void } | undefined;
  #reader: RecordReader | undefined;
  /** The beginning, until the format is known. */
  #head = new TranscriptHead();
  /** Whether a single record was understood. That a session was opened says nothing of what is in it. */
  #understood = false;
  #firstProblem: string | undefined;

  constructor(emit: Emit, format?: TranscriptFormat) {
    if (format !== undefined && !TRANSCRIPT_FORMATS.includes(format)) {
      throw new UnknownFormatError(`There is no format "${String(format)}".`, TRANSCRIPT_FORMATS);
    }
    this.#given = format;
    this.#emit = (event: TranscriptEvent) => {
      this.#understood ||= saysSomething(event);
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

  /** @throws UnreadableTranscriptError where not one record could be read. */
  end(): void {
    if (this.#source === undefined) this.#start();
    this.#source?.end();
    this.#reader?.end();
    if (this.#understood) return;
    throw new UnreadableTranscriptError(
      `Nothing in it could be read${this.#firstProblem === undefined ? "" : `; ${this.#firstProblem}`}.`,
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
      throw new UnreadableTranscriptError("The transcript is empty.", "Give a file with at least one message.");
    }
    const detected = detectFormat(this.#head.sample, this.#given);
    if (detected !== undefined) return detected;
    throw explainUnknown(this.#head.sample);
  }
}

function saysSomething(event: TranscriptEvent): boolean {
  if (event.type === "session") return Object.keys(event.meta).length > 0;
  return event.type !== "format" && event.type !== "skipped";
}
