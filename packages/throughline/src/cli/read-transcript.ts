import process from "node:process";
import { ThroughlineError } from "../errors/throughline-error.ts";
import { parseTranscriptStream } from "../transcript/parse-transcript-stream.ts";
import { TRANSCRIPT_FORMATS, type TranscriptEvent, type TranscriptFormat } from "../transcript/transcript.ts";
import { InputError } from "./input-error.ts";
import { openTranscript } from "./inspect/open-transcript.ts";
import { trackProgress } from "./inspect/track-progress.ts";

/**
 * Reads a file that the user named, in pieces.
 *
 * @returns its size in bytes, where it is known
 * @throws InputError
 */
export async function readTranscript(
  file: string,
  format: TranscriptFormat | undefined,
  take: (event: TranscriptEvent) => void,
): Promise<number | undefined> {
  let readAs: TranscriptFormat | undefined;
  try {
    const { chunks, size } = await openTranscript(file);
    for await (const event of parseTranscriptStream(trackProgress(chunks, size, process.stderr), format)) {
      if (event.type === "format") readAs = event.format;
      take(event);
    }
    return size;
  } catch (error) {
    throw new InputError(file, error, advise(error, readAs));
  }
}

/** @param readAs the format that was told or given, where reading got so far */
function advise(error: unknown, readAs: TranscriptFormat | undefined): string | undefined {
  if (!ThroughlineError.isInstance(error)) return undefined;
  const name = `name the format with --format: ${TRANSCRIPT_FORMATS.join(", ")}.`;
  if (error.code === "unknown-format") return `If it is a transcript, ${name}`;
  return readAs === undefined ? error.hint : `It was read as ${readAs}; if it is something else, ${name}`;
}
