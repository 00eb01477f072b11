import { omitUndefined } from "../internal/json.ts";
import type { ChatFact } from "../memory/facts/fact-rules.ts";
import type { FactCategory } from "../ports/memory.ts";

/** What a chat knows of its user: one fact, as it stands in the panel and in the prompt. */
export interface MemoryFact {
  readonly id: string;
  /** A statement that a person can read. */
  readonly fact: string;
  readonly category: FactCategory;
  /** From 0 to 1. */
  readonly confidence: number;
  /** How often it was said. */
  readonly mentionCount: number;
  /** Milliseconds since 1970. */
  readonly firstSeen: number;
  readonly lastSeen: number;
  /** The conversation in which it was last said; empty where it was told by hand. */
  readonly lastSeenConversationId: string;
  /** The message in which it was last said, and its words. */
  readonly lastSeenMessageId?: string;
  readonly quote?: string;
  /** Exempt from eviction; ten at the most. */
  readonly pinned: boolean;
  /** The fact that this one replaced. */
  readonly updatesFactId?: string;
}

/** A memory of the chat as its panel and its prompt see it. */
export function toMemoryFact({ id, levels, category, source, ...memory }: ChatFact): MemoryFact {
  return omitUndefined({
    id,
    fact: levels.full,
    category,
    confidence: memory.confidence,
    mentionCount: memory.mentions,
    firstSeen: memory.createdAt,
    lastSeen: memory.lastSeenAt,
    lastSeenConversationId: source.sessionId ?? "",
    lastSeenMessageId: source.messageId,
    quote: source.quote,
    pinned: memory.pinned,
    updatesFactId: memory.supersedes,
  });
}
