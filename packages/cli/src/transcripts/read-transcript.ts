import { ThroughlineError, TRANSCRIPT_FORMATS, type TranscriptFormat, UnknownFormatError } from "throughline";
import { parseTranscriptStream, type TranscriptEvent } from "throughline/transcript";
import { type OpenTranscript, openTranscript } from "./open-transcript.ts";
import { Progress } from "../terminal/progress.ts";
import { InputError } from "../usage-error.ts";

/** Minimum bytes to show progress for. */
const WORTH_SHOWING = 32 * 1024 * 1024;

export interface TranscriptReading {
  /** Bytes, if known. */
  readonly size: number | undefined;
  readonly events: AsyncIterable<TranscriptEvent>;
}

/**
 * Reads a file as a stream, with progress for large ones.
 *
 * @throws InputError here, or while the events are read
 */
export async function readTranscript(file: string, format: TranscriptFormat | undefined): Promise<TranscriptReading> {
  const { size, read } = await openInput(file);
  const progress = new Progress("Reading", size !== undefined && size >= WORTH_SHOWING ? size : 0);
  return { size, events: readEvents(file, read(progress), format) };
}

/** @throws InputError if it cannot be opened */
export async function openInput(file: string): Promise<OpenTranscript> {
  try {
    return await openTranscript(file);
  } catch (error) {
    throw new InputError(file, error);
  }
}

/**
 * The messages in the bytes of a file.
 *
 * @throws InputError while they are read
 */
export async function* readEvents(
  file: string,
  chunks: AsyncIterable<Uint8Array>,
  format: TranscriptFormat | undefined,
): AsyncGenerator<TranscriptEvent> {
  let readAs: TranscriptFormat | undefined;
  try {
    for await (const event of parseTranscriptStream(chunks, format)) {
      if (event.type === "format") readAs = event.format;
      yield event;
    }
  } catch (error) {
    throw new InputError(file, error, advise(error, readAs));
  }
}

/** @param readAs the detected or given format, if reading got that far */
function advise(error: unknown, readAs: TranscriptFormat | undefined): string | undefined {
  if (!ThroughlineError.isInstance(error)) return undefined;
  if (error instanceof UnknownFormatError && error.looksLike !== undefined) return error.hint;
  if (error.code === "unknown-format") return "If it is a transcript, select its format with --format.";
  if (readAs === undefined) return error.hint;
  const formats = TRANSCRIPT_FORMATS.join(", ");
  return `It was read as ${readAs}. If it is something else, select its format with --format: ${formats}.`;
}
