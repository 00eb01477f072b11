import type { Message } from "../message/message.ts";
import { SessionCollector } from "./session-writer.ts";
import type {
  ParsedTranscript,
  Skipped,
  TranscriptCompaction,
  TranscriptEvent,
  TranscriptFormat,
} from "./transcript.ts";
import { TranscriptParser } from "./transcript-parser.ts";

interface Kept {
  readonly messages: Message[];
  readonly compactions: TranscriptCompaction[];
}

/**
 * Parses a transcript of another program. Broken and unknown records are skipped and listed in `skipped`.
 *
 * @param text Content of the file.
 * @param format Format of the transcript. Default: detected from the text.
 * @throws UnknownFormatError if the format is unknown; UnreadableTranscriptError if no record can be read.
 *
 * @example
 * const { sessions, skipped } = parseTranscript(await readFile("session.jsonl", "utf8"));
 */
export function parseTranscript(text: string, format?: TranscriptFormat): ParsedTranscript {
  const skipped: Skipped[] = [];
  const gatherer = new SessionCollector<Kept>({
    open: () => ({ messages: [], compactions: [] }),
    message: ({ messages }, message) => messages.push(message),
    compaction: ({ compactions }, compaction) => compactions.push(compaction),
    skipped: (one) => skipped.push(one),
  });
  const parser = new TranscriptParser((event) => gatherer.take(event), format);
  parser.push(text);
  parser.end();
  return {
    format: gatherer.format ?? "openai",
    sessions: [...gatherer.sessions].map(([id, { kept, meta }]) => ({ id, ...kept, meta })),
    skipped,
    ignored: Object.fromEntries(gatherer.ignored),
  };
}

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
