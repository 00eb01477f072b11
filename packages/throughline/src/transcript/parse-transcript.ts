import type { Message } from "../message/message.ts";
import { SessionGatherer } from "./gather-sessions.ts";
import type { ParsedTranscript, Skipped, TranscriptCompaction, TranscriptFormat } from "./transcript.ts";
import { TranscriptParser } from "./transcript-parser.ts";

interface Kept {
  readonly messages: Message[];
  readonly compactions: TranscriptCompaction[];
}

/**
 * Reads a transcript of another program. Broken and unknown records are skipped and listed, never fatal.
 *
 * @param format told from the text where it is not given
 * @throws UnknownFormatError, UnreadableTranscriptError
 *
 * @example
 * const { sessions, skipped } = parseTranscript(await readFile("session.jsonl", "utf8"));
 */
export function parseTranscript(text: string, format?: TranscriptFormat): ParsedTranscript {
  const skipped: Skipped[] = [];
  const gatherer = new SessionGatherer<Kept>({
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
    passedOver: Object.fromEntries(gatherer.passedOver),
  };
}
