import { ThroughlineError, TRANSCRIPT_FORMATS, type TranscriptFormat, UnknownFormatError } from "throughline";
import { parseTranscriptStream, type TranscriptEvent } from "throughline/transcript";
import { InputError } from "./input-error.ts";
import { type OpenTranscript, openTranscript } from "./open-transcript.ts";
import { Progress } from "./progress.ts";

/** Below this a file is read before anybody could wonder. */
const WORTH_SHOWING = 32 * 1024 * 1024;

export interface TranscriptReading {
  /** In bytes, where it is known. */
  readonly size: number | undefined;
  readonly events: AsyncIterable<TranscriptEvent>;
}

/**
 * Reads a file that the user named, in pieces; a large one says how far it is.
 *
 * @throws InputError, here or while the events are read
 */
export async function readTranscript(file: string, format: TranscriptFormat | undefined): Promise<TranscriptReading> {
  const { size, read } = await openInput(file);
  const progress = new Progress("Reading", size !== undefined && size >= WORTH_SHOWING ? size : 0);
  return { size, events: readEvents(file, read(progress), format) };
}

/** @throws InputError where it cannot be opened */
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

/** @param readAs the format that was told or given, where reading got so far */
function advise(error: unknown, readAs: TranscriptFormat | undefined): string | undefined {
  if (!ThroughlineError.isInstance(error)) return undefined;
  const name = `name the format with --format: ${TRANSCRIPT_FORMATS.join(", ")}.`;
  if (error instanceof UnknownFormatError && error.looksLike !== undefined) return error.hint;
  if (error.code === "unknown-format") return `If it is a transcript, ${name}`;
  return readAs === undefined ? error.hint : `It was read as ${readAs}; if it is something else, ${name}`;
}
