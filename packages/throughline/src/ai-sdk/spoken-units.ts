import { digest } from "../internal/digest.ts";
import { isRecord } from "../internal/json.ts";
import type { Message } from "../message/message.ts";
import type { FileData, Part } from "../message/part.ts";

/**
 * One thing that was said, in one word: enough to tell it from its neighbours, and the same whichever way it came. A call
 * and a result go by their id, so that a masked output is still the same result.
 */
export interface SpokenUnit {
  readonly key: string;
  /** What a model is sent for it; `undefined` where the SDK keeps it to itself, as it does with approvals. */
  readonly sent: string | undefined;
  /** Where it stands in the list that it was read from. */
  readonly message: number;
  readonly part: number;
}

const LONGEST = 80;

/** As the messages of a conversation, or as the prompt that a model is sent. */
export type View = "messages" | "prompt";

/** The things that messages say, in order. What has no words (reasoning, marks) is not among them, where anything is. */
export function spokenUnits(messages: readonly Message[]): SpokenUnit[] {
  return messages.flatMap(({ role, parts }, message) => {
    const units = parts.flatMap((part, index) => {
      const key = keyOf(role, part);
      return key === undefined ? [] : [{ key, sent: sentAs(role, part, key), message, part: index }];
    });
    if (units.length > 0) return units;
    const key = `${role} ${wordsOf(parts.map((part) => ("text" in part ? part.text : part.type)).join("\n"))}`;
    return [{ key, sent: role === "tool" ? undefined : key, message, part: parts.length - 1 }];
  });
}

/** The same units in the words of one view; those that it does not have are left out. */
export function inView(units: readonly SpokenUnit[], view: View): SpokenUnit[] {
  if (view === "messages") return [...units];
  return units.flatMap((unit) => (unit.sent === undefined ? [] : [{ ...unit, key: unit.sent }]));
}

function keyOf(role: Message["role"], part: Part): string | undefined {
  switch (part.type) {
    case "text":
      return part.text.trim() === "" ? undefined : `${role} ${wordsOf(part.text)}`;
    case "compaction-marker":
      return `${role} ${wordsOf(part.summary)}`;
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

/** A file that is named by its address may be sent as its content. */
function sentAs(role: Message["role"], part: Part, key: string): string | undefined {
  if (part.type === "tool-approval-request") return undefined;
  if (part.type === "tool-approval-response" && part.providerExecuted !== true) return undefined;
  return part.type === "file" ? `${role} file ${kindOf(part.mediaType)}` : key;
}

/** A long text by its digest: whoever holds a long session should not hold it twice. */
function wordsOf(text: string): string {
  const words = text.trim();
  return words.length > LONGEST ? digest(words) : words;
}

function kindOf(mediaType: string): string {
  return mediaType.split("/", 1)[0] ?? "";
}

/** Bytes of what is inline, however they are written; the address of what is not. */
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
