import { digest, isRecord } from "../internal/json.ts";
import type { Message } from "../message/message.ts";
import type { FileData, Part } from "../message/part.ts";

/**
 * Fingerprint of a message part: enough to distinguish it from its neighbors, independent of its format. Calls and
 * results are identified by their id, so a masked output still matches.
 */
export interface PartFingerprint {
  readonly key: string;
  /** Fingerprint of the part in a prompt; `undefined` if the AI SDK does not send it, e.g. approvals. */
  readonly sent: string | undefined;
  /** Position in the list that it was read from. */
  readonly message: number;
  readonly part: number;
}

const MAX_TEXT_LENGTH = 80;

/** Form of a list: messages of a conversation, or the prompt of a model. */
export type View = "messages" | "prompt";

/**
 * Returns the fingerprints of all parts, in order. Parts without content (reasoning, marks) are skipped if the message
 * has others.
 */
export function fingerprintParts(messages: readonly Message[]): PartFingerprint[] {
  return messages.flatMap(({ role, parts }, message) => {
    const units = parts.flatMap((part, index) => {
      const key = keyOf(role, part);
      return key === undefined ? [] : [{ key, sent: sentAs(role, part, key), message, part: index }];
    });
    if (units.length > 0) return units;
    const key = `${role} ${textKey(parts.map((part) => ("text" in part ? part.text : part.type)).join("\n"))}`;
    return [{ key, sent: role === "tool" ? undefined : key, message, part: parts.length - 1 }];
  });
}

/** Fingerprints in one form; parts that it does not contain are dropped. */
export function inView(units: readonly PartFingerprint[], view: View): PartFingerprint[] {
  if (view === "messages") return [...units];
  return units.flatMap((unit) => (unit.sent === undefined ? [] : [{ ...unit, key: unit.sent }]));
}

function keyOf(role: Message["role"], part: Part): string | undefined {
  switch (part.type) {
    case "text":
      return part.text.trim() === "" ? undefined : `${role} ${textKey(part.text)}`;
    case "compaction-marker":
      return `${role} ${textKey(part.summary)}`;
    case "tool-call":
      return `call ${part.toolCallId} ${part.toolName}`;
    case "tool-result":
      return `result ${part.toolCallId}`;
    case "tool-approval-request":
      return `ask ${part.approvalId}`;
    case "tool-approval-response":
      return `answer ${part.approvalId}`;
    case "file":
      return `${role} file ${kindOf(part.mediaType)} ${sizeOf(part.data)}`;
    case "opaque":
      return `${role} ${isRecord(part.value) ? `${part.value.type} ${part.value.kind ?? ""}` : ""}`;
    default:
      return undefined;
  }
}

/** A file with a URL may be sent as its content. */
function sentAs(role: Message["role"], part: Part, key: string): string | undefined {
  if (part.type === "tool-approval-request") return undefined;
  if (part.type === "tool-approval-response" && part.providerExecuted !== true) return undefined;
  return part.type === "file" ? `${role} file ${kindOf(part.mediaType)}` : key;
}

/** Long texts are replaced by their hash to save memory. */
function textKey(text: string): string {
  const words = text.trim();
  return words.length > MAX_TEXT_LENGTH ? digest(words) : words;
}

function kindOf(mediaType: string): string {
  return mediaType.split("/", 1)[0] ?? "";
}

/** Size of inline data in bytes, or the URL of other data. */
function sizeOf(data: FileData): string {
  switch (data.type) {
    case "data":
      return typeof data.data === "string"
        ? `${Math.floor((data.data.replace(/(?<!=)=+$/, "").length * 3) / 4)}`
        : `${data.data.length}`;
    case "text":
      return `${data.text.length}`;
    case "url":
      return data.url;
    case "reference":
      return Object.values(data.reference).join(" ");
  }
}

/**
 * Counts the leading parts of a list that were appended before. The list may continue the history, repeat it from the
 * start, or lie inside it. A single match in the middle may be a coincidence and does not count.
 */
export function countKnown(sent: readonly PartFingerprint[], list: readonly PartFingerprint[]): number {
  const first = list[0];
  if (first === undefined) return 0;
  let most = countContinued(sent, list);
  for (let from = sent.length - 1; from >= 0; from -= 1) {
    if (sent[from]?.key !== first.key) continue;
    const length = commonLength(sent, from, list);
    if (length > most && isSame(from, list, length)) most = length;
  }
  return most;
}

/** A partial match of a message does not count. */
function isSame(from: number, list: readonly PartFingerprint[], length: number): boolean {
  if (length === list.length) return true;
  return list[length]?.message !== list[length - 1]?.message && (from === 0 || length > 1);
}

/**
 * Counts the leading parts of a list that end with the last appended part. Parts in between may be missing: many
 * applications keep only the texts of a conversation.
 */
export function countContinued(sent: readonly PartFingerprint[], list: readonly PartFingerprint[]): number {
  const last = sent.at(-1)?.key;
  for (let length = Math.min(sent.length, list.length); length > 0; length -= 1) {
    if (list[length - 1]?.key === last && liesWithin(sent, list, length)) return length;
  }
  return 0;
}

function liesWithin(sent: readonly PartFingerprint[], list: readonly PartFingerprint[], length: number): boolean {
  let found = 0;
  for (const { key } of sent) if (found < length && key === list[found]?.key) found += 1;
  return found === length;
}

/** Length of the common prefix of a list and the history from a position. */
function commonLength(sent: readonly PartFingerprint[], from: number, list: readonly PartFingerprint[]): number {
  let length = 0;
  while (length < list.length && sent[from + length]?.key === list[length]?.key) length += 1;
  return length;
}

/** True if a list starts with all of another list. */
export function startsWithAll(list: readonly PartFingerprint[], head: readonly PartFingerprint[]): boolean {
  return head.length <= list.length && commonLength(list, 0, head) === head.length;
}
