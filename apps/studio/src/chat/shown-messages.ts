import type { ListedCompaction, Message, Receipt } from "throughline";
import type { MemoryFact } from "throughline/chat";
import type { CondensedNote, ShownMessage, UsedMemory } from "./chat-room.ts";

/** What was said, as it is shown. */
export function shownMessages(
  history: readonly Message[],
  receipts: readonly Receipt[],
  facts: ReadonlyMap<string, MemoryFact>,
): readonly ShownMessage[] {
  return history.flatMap((message, at) => {
    const { id, role, createdAt, error } = message;
    if (role !== "user" && role !== "assistant") return [];
    const used = role === "assistant" ? usedFor(history, at, receipts, facts) : [];
    return [
      {
        id,
        role,
        text: textOf(message),
        at: createdAt,
        state: error === undefined ? "done" : error.aborted === true ? "stopped" : "failed",
        ...(error !== undefined && error.aborted !== true && { problem: error.message }),
        ...(used.length > 0 && { used }),
      },
    ];
  });
}

/** What can be read for memories: an answer that is still being written cannot. */
export function saidMessages(messages: readonly ShownMessage[]): readonly ShownMessage[] {
  return messages.filter(({ state, text }) => state !== "streaming" && text !== "");
}

export function textOf({ parts }: Pick<Message, "parts">): string {
  return parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n");
}

/** An answer was given on the last window that was prepared between what was said before it and itself. */
function usedFor(
  history: readonly Message[],
  at: number,
  receipts: readonly Receipt[],
  facts: ReadonlyMap<string, MemoryFact>,
): readonly UsedMemory[] {
  const from = history[at - 1]?.createdAt ?? 0;
  const to = history[at]?.createdAt ?? 0;
  const receipt = receipts.findLast(({ createdAt }) => createdAt >= from && createdAt <= to);
  return receipt === undefined ? [] : usedMemories(receipt, facts);
}

/** The memories in a window, each with its reason. */
export function usedMemories(receipt: Receipt, facts: ReadonlyMap<string, MemoryFact>): readonly UsedMemory[] {
  return receipt.items.flatMap(({ rule, sources = [], reasons = {} }) =>
    rule !== "memory"
      ? []
      : sources.map((id) => {
          const fact = facts.get(id);
          return { id, reason: reasons[id] ?? "", ...(fact !== undefined && { fact }) };
        }),
  );
}

/** Where earlier messages were condensed: behind what had been said by then. */
export function condensedNotes(
  compactions: readonly ListedCompaction[],
  history: readonly Message[],
): readonly CondensedNote[] {
  return compactions.flatMap(({ id, createdAt, compactedMessageIds, ...event }) => {
    const behind = history.findLast((message) => message.createdAt <= createdAt) ?? history[0];
    if (behind === undefined) return [];
    const { round, tokensBefore, tokensAfter, summary, isUndone } = event;
    return [
      {
        eventId: id,
        round,
        afterMessageId: behind.id,
        tokensBefore,
        tokensAfter,
        condensedMessages: compactedMessageIds.length,
        summary,
        isUndone,
      },
    ];
  });
}
