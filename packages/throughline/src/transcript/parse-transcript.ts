import type { Message } from "../message/message.ts";
import type {
  ParsedTranscript,
  SessionMeta,
  Skipped,
  TranscriptCompaction,
  TranscriptEvent,
  TranscriptFormat,
} from "./transcript.ts";
import { TranscriptParser } from "./transcript-parser.ts";

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
  const collected = new TranscriptCollector();
  const parser = new TranscriptParser((event) => collected.take(event), format);
  parser.push(text);
  parser.end();
  return collected.result();
}

interface OpenSession {
  readonly id: string;
  readonly messages: Message[];
  readonly compactions: TranscriptCompaction[];
  meta: SessionMeta;
}

/** Puts the events of a transcript together. */
class TranscriptCollector {
  readonly #sessions = new Map<string, OpenSession>();
  readonly #skipped: Skipped[] = [];
  readonly #passedOver = new Map<string, number>();
  #format: TranscriptFormat = "openai";

  take(event: TranscriptEvent): void {
    switch (event.type) {
      case "format":
        this.#format = event.format;
        break;
      case "session":
        this.#sessions.set(event.id, { id: event.id, messages: [], compactions: [], meta: event.meta });
        break;
      case "message":
        this.#sessions.get(event.sessionId)?.messages.push(event.message);
        break;
      case "compaction":
        this.#sessions.get(event.sessionId)?.compactions.push(event.compaction);
        break;
      case "meta": {
        const session = this.#sessions.get(event.sessionId);
        if (session !== undefined) session.meta = { ...session.meta, ...event.meta };
        break;
      }
      case "skipped":
        this.#skipped.push(event.skipped);
        break;
      case "passed-over":
        this.#passedOver.set(event.kind, (this.#passedOver.get(event.kind) ?? 0) + 1);
    }
  }

  result(): ParsedTranscript {
    return {
      format: this.#format,
      sessions: [...this.#sessions.values()],
      skipped: this.#skipped,
      passedOver: Object.fromEntries(this.#passedOver),
    };
  }
}
