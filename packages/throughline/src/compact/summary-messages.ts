import { isRecord } from "../internal/json.ts";
import { writePart } from "../message/convert/ai-sdk.ts";
import type { Message } from "../message/message.ts";
import type { OpaquePart, Part } from "../message/part.ts";

interface CompactionSummary {
  /** Id of the compaction. */
  readonly id: string;
  readonly sessionId: string;
  readonly createdAt: number;
  readonly summary: string;
  /** Tokens of the messages that the summary replaces. */
  readonly originalTokens: number;
}

interface SummaryMessageOptions extends CompactionSummary {
  readonly messagesCompacted: number;
  /** The provider's own compaction part, which goes before the summary. */
  readonly native?: OpaquePart["value"] | undefined;
}

interface SummaryMessagesOptions extends CompactionSummary {
  /** Messages that the summary replaces. */
  readonly span: readonly Message[];
  /** True if nothing precedes the summary in the window. */
  readonly isFirst: boolean;
  /** Messages that follow the summary in the window. */
  readonly behind: readonly Message[];
}

/** Returns the summary message, with user messages around it if roles would not alternate otherwise. */
export function summaryMessages(options: SummaryMessagesOptions): Message[] {
  const { span, isFirst, behind, ...made } = options;
  const { id, sessionId, createdAt } = made;
  const native = findNativeCompaction(behind) === undefined ? findNativeCompaction(span) : undefined;
  const say = (name: string, text: string): Message => ({
    id: `${id}/${name}`,
    sessionId,
    createdAt,
    role: "user",
    parts: [{ id: `${id}/${name}.0`, type: "text", synthetic: true, text }],
  });
  return [
    ...(isFirst ? [say("opening", "(What came before is summarized below.)")] : []),
    summaryMessage({ ...made, native, messagesCompacted: span.length }),
    ...(behind[0]?.role === "user" ? [] : [say("continuation", "Continue from where the summary ends.")]),
  ];
}

/** Returns the message that has the summary of a compaction. */
export function summaryMessage(options: SummaryMessageOptions): Message {
  const { id, sessionId, createdAt, summary, messagesCompacted, originalTokens, native } = options;
  return {
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
}

/**
 * Finds the last compaction that the provider itself made. It has to be sent back unchanged: the model continues from
 * there.
 */
function findNativeCompaction(messages: readonly Message[]): OpaquePart["value"] | undefined {
  const found = messages.flatMap(({ parts }) => parts).findLast(isNative);
  return found && (found.type === "opaque" ? found.value : writePart(found, true));
}

/** OpenAI has its own kind of part for a compaction; Anthropic marks a text in its provider options. */
function isNative(part: Part): boolean {
  if (part.type === "text") return isMarked(part.providerOptions);
  if (part.type !== "opaque" || part.format !== "ai-sdk" || !isRecord(part.value)) return false;
  const { kind, providerOptions } = part.value;
  return (typeof kind === "string" && kind.endsWith(".compaction")) || isMarked(providerOptions);
}

function isMarked(options: unknown): boolean {
  return isRecord(options) && Object.values(options).some((one) => isRecord(one) && one.type === "compaction");
}
