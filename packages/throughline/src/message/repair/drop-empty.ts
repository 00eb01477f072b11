import { convertRichToModel } from "../convert/ai-sdk.ts";
import { isSubstance } from "../legality-rules.ts";
import type { Message } from "../message.ts";
import type { FilePart, Part } from "../part.ts";
import { fileName, type Repair, type RepairContext, withParts } from "./repair.ts";

/** Drops texts without a word, messages without substance, and reasoning that leads nowhere. */
export function dropEmpty(messages: readonly Message[], { report }: RepairContext): readonly Message[] {
  const kept: Message[] = [];
  const repairs: Repair[] = [];
  // From the end, because reasoning stays when what comes after it stays.
  for (const message of messages.toReversed()) {
    const { kept: left, repair } = dropFrom(message, kept.at(-1));
    if (left !== undefined) kept.push(left);
    if (repair !== undefined) repairs.push(repair);
  }
  repairs.toReversed().forEach(report);
  return kept.toReversed();
}

interface Dropped {
  readonly kept?: Message;
  readonly repair?: Repair;
}

function dropFrom(message: Message, next: Message | undefined): Dropped {
  const { id: messageId } = message;
  const parts = message.parts.filter((part) => part.type !== "text" || part.text.trim() !== "");
  const reasons = message.role === "assistant" && parts.some((part) => part.type === "reasoning");
  if (!parts.some((part) => isSent(message, part))) {
    const files = parts.filter((part) => part.type === "file");
    if (files.length > 0) return nameFiles(message, parts, files);
    const leads = reasons && next?.role === "assistant";
    const what = reasons ? "reasoning without anything after it" : "a message with nothing to say";
    const code = reasons ? "dropped-reasoning" : "dropped-empty";
    if (!leads) return { repair: { code, messageId, text: `${what} was left out` } };
  }
  if (parts.length === message.parts.length) return { kept: message };
  const text = "a text without a word was left out";
  return { kept: withParts(message, parts), repair: { code: "dropped-empty", messageId, text } };
}

/** Files that only another provider has are named, so that who sent them has still spoken. */
function nameFiles(message: Message, parts: readonly Part[], files: readonly FilePart[]): Dropped {
  const text = "files that only another provider has are named as text";
  return {
    kept: withParts(message, [...parts, ...files.map((file) => fileName({ ...file, id: `${file.id}~name` }))]),
    repair: { code: "told-as-text", messageId: message.id, text },
  };
}

/** Whether the part reaches the AI SDK and says something there: of those that it may not take, its converter decides. */
function isSent(message: Message, part: Part): boolean {
  const isUploaded = part.type === "file" && part.data.type === "reference";
  if (part.type !== "opaque" && !isUploaded) return isSubstance(part, []);
  return convertRichToModel([withParts(message, [part])]).length > 0;
}
