import { omitUndefined } from "../internal/json.ts";
import type { ChatFact } from "../memory/facts/fact-rules.ts";
import type { MemoryService } from "../memory/memory-service.ts";
import type { FactCategory } from "../ports/memory.ts";

export const CATEGORIES: readonly unknown[] = ["project", "preference", "identity"] satisfies FactCategory[];

/** One fact about the user, as shown in the panel and in the prompt. */
export interface MemoryFact {
  readonly id: string;
  /** A readable statement. */
  readonly fact: string;
  readonly category: FactCategory;
  /** From 0 to 1. */
  readonly confidence: number;
  /** Number of mentions. */
  readonly mentionCount: number;
  /** Milliseconds since 1970. */
  readonly firstSeen: number;
  readonly lastSeen: number;
  /** Conversation of the last mention; empty if it was saved by hand. */
  readonly lastSeenConversationId: string;
  /** Message of the last mention, and its text. */
  readonly lastSeenMessageId?: string;
  readonly quote?: string;
  /** Exempt from eviction; at most ten facts. */
  readonly pinned: boolean;
  /** Id of the fact that this one replaced. */
  readonly updatesFactId?: string;
}

/**
 * Converts a chat memory for the panel and the prompt.
 *
 * @param memory Memory with a category.
 *
 * @example
 * const [memory] = await tl.memory.list({ kinds: ["fact"] });
 * if (memory?.category !== undefined) toMemoryFact({ ...memory, category: memory.category });
 */
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

/** Memories per page. */
const PAGE = 500;

/** Lists the chat facts of a user by creation time; `all` includes ended and archived ones. */
export async function listChatFacts(
  memory: Pick<MemoryService, "list">,
  { all = false }: { readonly all?: boolean } = {},
): Promise<readonly ChatFact[]> {
  const found: ChatFact[] = [];
  for (let after = ""; ; ) {
    const page = await memory.list({ all, kinds: ["fact"], scope: "user-private", after, limit: PAGE });
    found.push(...page.filter((one): one is ChatFact => one.category !== undefined));
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return found;
    after = last.id;
  }
}
