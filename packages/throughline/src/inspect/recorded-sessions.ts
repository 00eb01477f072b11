import { redactSecrets } from "../internal/find-secrets.ts";
import type { Message } from "../message/message.ts";
import type { Part } from "../message/part.ts";
import { redactMessage } from "../message/redact-message.ts";
import { SessionCollector } from "../transcript/session-writer.ts";
import type { TranscriptCompaction, TranscriptEvent, TranscriptSession } from "../transcript/transcript.ts";

/** Content that was masked while its message stayed in the window. */
export interface RecordedMasks {
  /** Index of the first message after it. */
  readonly at: number;
  /** The masks, with the ids of the parts that they replace. */
  readonly parts: readonly Part[];
}

/** A session of an agent or of the store. */
export interface RecordedSession extends TranscriptSession {
  readonly masks?: readonly RecordedMasks[];
  /** True if our own counts are those that the session decided by. Default: `false`, they are scaled to the provider's. */
  readonly isCountedByUs?: boolean;
  /** Context limit that the session was opened with. Default: that of its model. */
  readonly contextLimit?: number;
}

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

/** A session without secrets. */
export function redactSession(session: RecordedSession): RecordedSession {
  return {
    ...session,
    ...(session.masks && { masks: session.masks.map(redactMasks) }),
    messages: session.messages.map((message) => redactMessage(message).message),
    compactions: session.compactions.map(redactCompaction),
  };
}

/** A mask repeats the first line of the output. */
function redactMasks({ at, parts }: RecordedMasks): RecordedMasks {
  const redacted = parts.map((part) => {
    if (part.type === "text") return { ...part, text: redactSecrets(part.text) };
    if (part.type !== "tool-result" || part.output.type !== "text") return part;
    return { ...part, output: { ...part.output, value: redactSecrets(part.output.value) } };
  });
  return { at, parts: redacted };
}

function redactCompaction(compaction: TranscriptCompaction): TranscriptCompaction {
  const { summary, window } = compaction;
  return {
    ...compaction,
    ...(summary === undefined ? {} : { summary: redactSecrets(summary) }),
    ...(window === undefined ? {} : { window: window.map((message) => redactMessage(message).message) }),
  };
}
