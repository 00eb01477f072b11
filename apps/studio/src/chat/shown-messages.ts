import { countTokens, type ListedCompaction, type Message, type Receipt } from "throughline";
import type { MemoryFact } from "throughline/chat";
import { attachmentsOf, imageAddress } from "./attachments.ts";
import type { CondensedNote, ShownAttachment, ShownMessage, UsedMemory } from "./chat-state.ts";
import { attachmentName, notesOf } from "./message-notes.ts";

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

/** An answer joined with its continuation. */
export function continued(before: ShownMessage, added: ShownMessage): ShownMessage {
  const { problem: _, ...kept } = before;
  const text = joinContinued(before.text, added.text);
  return { ...kept, text, state: added.state, ...(added.problem !== undefined && { problem: added.problem }) };
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

/** Part of a message that was not sent: the middle of its text, its images, or all of it. */
export type Unsent =
  | { readonly kind: "cut"; readonly percentSent: number }
  | { readonly kind: "images" }
  | { readonly kind: "left-out" };

/** Messages that the requests of a conversation had only in part, or not at all. */
interface UnsentParts {
  /** By message. */
  readonly messages: ReadonlyMap<string, Unsent>;
  /** By answer: how many earlier messages its request did not have. */
  readonly answers: ReadonlyMap<string, number>;
}

/**
 * Finds unsent messages and parts in the receipts. A message that was cut in its own request stays marked, because its
 * answer was given without the rest; other marks are those of the last request.
 */
function findUnsent(history: readonly Message[], receipts: readonly Receipt[]): UnsentParts {
  const byId = new Map(receipts.map((receipt) => [receipt.id, receipt]));
  const messages = new Map<string, Unsent>();
  const answers = new Map<string, number>();
  let asked: Message | undefined;
  for (const message of history) {
    if (message.role === "user") asked = message;
    const receipt = byId.get(notesOf(message).receipt ?? "");
    if (receipt === undefined || asked === undefined) continue;
    const cut = cutIn(receipt, history).get(asked.id);
    if (cut !== undefined) messages.set(asked.id, cut);
    const count = leftOutIn(receipt, history).length;
    if (count > 0) answers.set(message.id, count);
  }
  const last = receipts.at(-1);
  if (last === undefined) return { messages, answers };
  for (const [id, cut] of cutIn(last, history)) messages.set(id, cut);
  for (const id of leftOutIn(last, history)) messages.set(id, { kind: "left-out" });
  return { messages, answers };
}

/** Messages that were sent in part, with their share. */
function cutIn({ items }: Receipt, history: readonly Message[]): ReadonlyMap<string, Unsent> {
  if (items.every(({ shortened = [] }) => shortened.length === 0)) return new Map();
  const byPart = new Map(history.flatMap((message) => message.parts.map((part) => [part.id, message] as const)));
  const found = new Map<string, Unsent>();
  for (const { tokens, shortened = [], sources } of items) {
    for (const part of shortened) {
      const message = byPart.get(part);
      if (message === undefined) continue;
      if (message.parts.some(({ id, type }) => id === part && type === "file")) {
        if (!found.has(message.id)) found.set(message.id, { kind: "images" });
        continue;
      }
      const whole = history.filter(({ id }) => id === message.id || sources?.includes(id) === true);
      const share = (tokens / Math.max(1, sum(whole.map(tokensOf)))) * 100;
      found.set(message.id, { kind: "cut", percentSent: Math.min(99, Math.max(1, Math.round(share))) });
    }
  }
  return found;
}

/** Ids of the messages that were left out because the context was full. Summarized ones have a note of their own. */
function leftOutIn({ handles, items, nearMisses }: Receipt, history: readonly Message[]): readonly string[] {
  if (handles.length === 0 && nearMisses.every(({ reason }) => reason !== "trimmed")) return [];
  const places = new Map(history.map(({ id }, at) => [id, at]));
  const summarized = new Set(items.flatMap(({ rule, sources = [] }) => (rule === "summary" ? sources : [])));
  const ids = handles.flatMap((handle) => {
    const [, first = "", last = first] = /^messages?:(.+?)(?:\.\.(.+))?$/.exec(handle) ?? [];
    const [from, to] = [places.get(first), places.get(last)];
    return from === undefined || to === undefined ? [] : history.slice(from, to + 1).map(({ id }) => id);
  });
  const trimmed = nearMisses.flatMap(({ reason, messageId }) => (reason === "trimmed" ? [messageId] : []));
  return [...new Set([...ids, ...trimmed])].filter((id) => places.has(id) && !summarized.has(id));
}

function tokensOf({ parts }: Message): number {
  // Parts of new messages have no count yet.
  return sum(parts.map((part) => part.tokens ?? (part.type === "text" ? countTokens(part.text) : 0)));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

/** Asks a model to continue an interrupted answer. Sent once and not stored. */
export const CONTINUE =
  "Your last answer broke off. Continue it from exactly where it stops. Write only the rest: no greeting, no repetition, no remark about the interruption.";

/** Maximum length of repeated text, in characters. */
const MAX_OVERLAP = 200;
const MIN_OVERLAP = 4;

/** Joins an answer and its continuation. Repeated text is dropped, and words stay separated. */
function joinContinued(before: string, added: string): string {
  const rest = added.trimStart();
  for (let length = Math.min(MAX_OVERLAP, before.length, rest.length); length >= MIN_OVERLAP; length -= 1) {
    if (before.endsWith(rest.slice(0, length))) return before + rest.slice(length);
  }
  const isSpaced = before === "" || added === "" || /\s$/u.test(before) || /^[\s\p{P}]/u.test(added);
  return isSpaced ? before + added : `${before} ${added}`;
}
