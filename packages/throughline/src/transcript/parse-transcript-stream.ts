import type { TranscriptEvent, TranscriptFormat } from "./transcript.ts";
import { TranscriptParser } from "./transcript-parser.ts";

/**
 * Parses a transcript in chunks and yields each finding immediately, for files that do not fit into memory.
 *
 * @param chunks Stream of text or UTF-8 bytes: a Node stream, a web stream or an array.
 * @param format Format of the transcript. Default: detected from the text.
 * @throws UnknownFormatError if the format is unknown; UnreadableTranscriptError if no record can be read.
 *
 * @example
 * for await (const event of parseTranscriptStream(createReadStream("session.jsonl"))) {
 *   if (event.type === "message") console.log(event.message.role);
 * }
 */
export async function* parseTranscriptStream(
  chunks: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
  format?: TranscriptFormat,
): AsyncGenerator<TranscriptEvent, void, undefined> {
  const found: TranscriptEvent[] = [];
  const parser = new TranscriptParser((event) => found.push(event), format);
  const decoder = new TextDecoder("utf-8");
  for await (const chunk of chunks) {
    parser.push(typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true }));
    yield* found.splice(0);
  }
  const rest = decoder.decode();
  if (rest !== "") parser.push(rest);
  try {
    parser.end();
  } finally {
    // Yields the findings before the error.
    yield* found.splice(0);
  }
}
