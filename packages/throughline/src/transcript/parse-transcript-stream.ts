import type { TranscriptEvent, TranscriptFormat } from "./transcript.ts";
import { TranscriptParser } from "./transcript-parser.ts";

/**
 * Reads a transcript piece by piece and gives out what it finds as it finds it, for files that do not fit into memory.
 * Takes any stream of text or UTF-8 bytes: a Node stream, a web stream, an array.
 *
 * @throws UnknownFormatError, UnreadableTranscriptError
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
    // Who is told that nothing could be read is told first what was found.
    yield* found.splice(0);
  }
}
