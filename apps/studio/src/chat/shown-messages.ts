import type { ListedCompaction, Message, Receipt } from "throughline";
import type { MemoryFact } from "throughline/chat";
import { attachmentsOf, imageAddress } from "./attachments.ts";
import type { CondensedNote, ShownAttachment, ShownMessage, UsedMemory } from "./chat-state.ts";
import { continued } from "./continue-answer.ts";
import { attachmentName, notesOf } from "./message-notes.ts";
import { findUnsent } from "./unsent-parts.ts";

/** Messages for display. A continued answer is one message. */
export function shownMessages(
  history: readonly Message[],
  receipts: readonly Receipt[],
  facts: ReadonlyMap<string, MemoryFact>,
): readonly ShownMessage[] {
  const unsent = findUnsent(history, receipts);
  const shown: ShownMessage[] = [];
  history.forEach((message) => {
    const { id, role, createdAt } = message;
    if (role !== "user" && role !== "assistant") return;
    const { reasoning, continues, imagesLeftOut } = notesOf(message);
    const used = role === "assistant" ? usedFor(message, receipts, facts) : [];
    const attachments = shownAttachments(message);
    const missing = unsent.messages.get(id);
    const leftOut = unsent.answers.get(id);
    const one: ShownMessage = {
      id,
      role,
      text: textOf(message),
      at: createdAt,
      ...endOf(message),
      ...(reasoning !== undefined && { reasoning }),
      ...(used.length > 0 && { used }),
      ...(attachments.length > 0 && { attachments }),
      ...(missing !== undefined && { unsent: missing }),
      ...(leftOut !== undefined && { leftOut }),
      ...(imagesLeftOut !== undefined && { imagesLeftOut }),
    };
    const before = shown.at(-1);
    if (continues === undefined || before?.role !== "assistant") shown.push(one);
    else shown[shown.length - 1] = continued(before, one);
  });
  return shown;
}

/** Adds marks of unsent parts from the receipts to messages; everything else stays. */
export function withRequestNotes(
  messages: readonly ShownMessage[],
  noted: readonly ShownMessage[],
): readonly ShownMessage[] {
  const byId = new Map(noted.map((one) => [one.id, one]));
  return messages.map((shown) => {
    const { unsent, leftOut } = byId.get(shown.id) ?? {};
    if (sameNote(unsent, shown.unsent) && leftOut === shown.leftOut) return shown;
    const { unsent: _, leftOut: __, ...rest } = shown;
    return { ...rest, ...(unsent !== undefined && { unsent }), ...(leftOut !== undefined && { leftOut }) };
  });
}

function sameNote(a: ShownMessage["unsent"], b: ShownMessage["unsent"]): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function endOf({ error }: Message): Pick<ShownMessage, "state" | "problem"> {
  if (error === undefined) return { state: "done" };
  const { name } = error;
  if (name === "interrupted" || name === "cut" || name === "filtered") return { state: name };
  return error.aborted === true ? { state: "stopped" } : { state: "failed", problem: error.message };
}

/** Messages for extraction, without an unfinished answer. */
export function saidMessages(messages: readonly ShownMessage[]): readonly ShownMessage[] {
  return messages.filter(({ state, text }) => state !== "streaming" && text !== "");
}

/** The text of a message, without attached files. */
export function textOf({ parts }: Pick<Message, "parts">): string {
  const said = parts.flatMap((part) => (part.type === "text" && attachmentName(part) === undefined ? [part.text] : []));
  return said.join("\n\n");
}

function shownAttachments(message: Message): readonly ShownAttachment[] {
  return attachmentsOf(message).map((one) =>
    one.kind === "text" ? { name: one.name } : { name: one.name, image: imageAddress(one) },
  );
}

/** Memories of the request that a message answers, by its receipt. */
function usedFor(
  answer: Message,
  receipts: readonly Receipt[],
  facts: ReadonlyMap<string, MemoryFact>,
): readonly UsedMemory[] {
  const { receipt: id } = notesOf(answer);
  const receipt = id === undefined ? undefined : receipts.find((one) => one.id === id);
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

/** Notes of summaries, each behind the last message before it. */
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
