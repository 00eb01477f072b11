import { redactSecrets } from "../internal/find-secrets.ts";
import type { Message } from "../message/message.ts";
import { redactMessage } from "../message/redact-message.ts";
import { SessionCollector } from "../transcript/collect-sessions.ts";
import type { TranscriptCompaction, TranscriptEvent, TranscriptSession } from "../transcript/transcript.ts";

interface CollectedMessages {
  readonly messages: Message[];
  readonly compactions: TranscriptCompaction[];
}

/** Collects the sessions of a transcript, without secrets. */
export class RecordedSessions {
  readonly #collector = new SessionCollector<CollectedMessages>({
    open: () => ({ messages: [], compactions: [] }),
    message: ({ messages }, message) => messages.push(redactMessage(message).message),
    compaction: ({ compactions }, compaction) => compactions.push(redactCompaction(compaction)),
    skipped: () => undefined,
  });

  take(event: TranscriptEvent): void {
    this.#collector.take(event);
  }

  sessions(): readonly TranscriptSession[] {
    return [...this.#collector.sessions].map(([id, { kept, meta }]) => ({ id, meta, ...kept }));
  }
}

function redactCompaction(compaction: TranscriptCompaction): TranscriptCompaction {
  const { summary, window } = compaction;
  return {
    ...compaction,
    ...(summary === undefined ? {} : { summary: redactSecrets(summary) }),
    ...(window === undefined ? {} : { window: window.map((message) => redactMessage(message).message) }),
  };
}
