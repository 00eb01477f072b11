import type { Message } from "../message/message.ts";

interface StandInOptions {
  /** The compaction's. */
  readonly id: string;
  readonly sessionId: string;
  readonly createdAt: number;
  readonly summary: string;
  readonly messagesCompacted: number;
  readonly originalTokens: number;
  /** Nothing stands before it in the window. */
  readonly isFirst: boolean;
  /** What follows it in the window. */
  readonly next: Message | undefined;
  /** What the provider itself had put in the place of earlier messages: it goes before the summary. */
  readonly native?: unknown;
}

/** The summary, and the user's turns around it where the roles would not alternate otherwise. */
export function makeStandIns(options: StandInOptions): Message[] {
  const { id, sessionId, createdAt, summary, messagesCompacted, originalTokens, isFirst, next, native } = options;
  const say = (name: string, text: string): Message => ({
    id: `${id}/${name}`,
    sessionId,
    createdAt,
    role: "user",
    parts: [{ id: `${id}/${name}.0`, type: "text", synthetic: true, text }],
  });
  const marker: Message = {
    id: `${id}/summary`,
    sessionId,
    createdAt,
    role: "assistant",
    isSummary: true,
    parts: [
      ...(native === undefined
        ? []
        : [{ id: `${id}/summary.native`, type: "opaque", format: "ai-sdk", value: native } as const]),
      {
        id: `${id}/summary.0`,
        type: "compaction-marker",
        summary,
        compactedAt: createdAt,
        messagesCompacted,
        originalTokens,
      },
    ],
  };
  return [
    ...(isFirst ? [say("opening", "(What came before is summarized below.)")] : []),
    marker,
    ...(next?.role === "user" ? [] : [say("continuation", "Continue from where the summary ends.")]),
  ];
}
