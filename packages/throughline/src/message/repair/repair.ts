import { omitUndefined } from "../../internal/json.ts";
import { isAllowedIn } from "../legality-rules.ts";
import type { Message, Role } from "../message.ts";
import type { FilePart, Part, TextPart, ToolCallPart } from "../part.ts";
import { toolOutputText } from "../tool-output.ts";

export type RepairCode =
  | "renamed-call-id"
  | "renamed-tool"
  | "wrapped-input"
  | "added-result"
  | "moved-result"
  | "dropped-result"
  | "told-as-text"
  | "moved-part"
  | "dropped-approval"
  | "dropped-empty"
  | "dropped-reasoning"
  | "merged"
  | "added-opening";

/** One thing that was changed to make a window legal. */
export interface Repair {
  readonly code: RepairCode;
  /** The message it was done to. */
  readonly messageId: string;
  readonly text: string;
}

export interface RepairedWindow {
  readonly messages: readonly Message[];
  readonly repairs: readonly Repair[];
}

export type Report = (repair: Repair) => void;

export interface RepairContext {
  readonly report: Report;
  /** Gives a message that is added an id that no other has. */
  readonly freeId: (wanted: string) => string;
}

/** A step of the repair: the same list where there is nothing to do. */
export type RepairStep = (messages: readonly Message[], context: RepairContext) => readonly Message[];

/** The message with other parts. What was counted for it no longer holds. */
export function withParts(message: Message, parts: readonly Part[]): Message {
  const { tokens: _, ...rest } = message;
  return { ...rest, parts };
}

/** The message with other parts where one of them is another, else the message itself. */
export function withChangedParts(message: Message, parts: readonly Part[]): Message {
  const isSame = parts.length === message.parts.length && parts.every((part, i) => part === message.parts[i]);
  return isSame ? message : withParts(message, parts);
}

/** A message that is put beside another one, of the same session and time. */
export function besideMessage(beside: Message, id: string, role: Role, parts: readonly Part[]): Message {
  const { sessionId, createdAt, provenance } = beside;
  return omitUndefined({ id, sessionId, role, parts, createdAt, provenance });
}

/** A text that Throughline puts into a window in place of something else. */
export function syntheticText(id: string, text: string): TextPart {
  return { id, type: "text", text, synthetic: true };
}

export function callText({ id, toolName, input }: ToolCallPart): TextPart {
  return syntheticText(id, `[Call of ${toolName}: ${JSON.stringify(input)}]`);
}

export function fileName({ id, filename = "", mediaType }: FilePart): TextPart {
  return syntheticText(id, `[File ${filename} ${mediaType}]`);
}

/** The part itself where that role may hold it, else what it says. */
export function toldBy(role: Role, part: Part): Part {
  if (isAllowedIn(role, part)) return part;
  switch (part.type) {
    case "reasoning":
      return syntheticText(part.id, part.text);
    case "tool-call":
      return callText(part);
    case "tool-result": {
      const { toolName, output } = part;
      return syntheticText(part.id, `[Result of ${toolName}, whose call is not here]\n${toolOutputText(output)}`);
    }
    case "compaction-marker":
      return syntheticText(part.id, part.summary);
    case "file":
      return fileName(part);
    default:
      return syntheticText(part.id, `[${part.type}]`);
  }
}
