import type { Message } from "../message/message.ts";
import { SessionCollector } from "./collect-sessions.ts";
import type { ParsedTranscript, Skipped, TranscriptCompaction, TranscriptFormat } from "./transcript.ts";
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
