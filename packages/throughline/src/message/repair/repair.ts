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
  | "kept-as-text"
  | "moved-part"
  | "dropped-approval"
  | "dropped-empty"
  | "dropped-reasoning"
  | "merged"
  | "added-opening"
  | "dropped-cache-marks";

/** One change that was made to get a legal window. */
export interface Repair {
  readonly code: RepairCode;
  /** Id of the changed message. */
  readonly messageId: string;
  readonly text: string;
}

export interface RepairedWindow {
  readonly messages: readonly Message[];
  readonly repairs: readonly Repair[];
}

export type Report = (repair: Repair) => void;

export interface RepairDeps {
  /** Records a repair. */
  readonly report: Report;
  /** Makes a unique id for an added message. */
  readonly freeId: (wanted: string) => string;
  /** True if system messages may follow other messages. */
  readonly isSystemAnywhere: boolean;
}

/** One step of the repair. Returns the same list if there is nothing to do. */
export type RepairStep = (messages: readonly Message[], deps: RepairDeps) => readonly Message[];

/** Copy of the message with other parts and without its token count. */
export function withParts(message: Message, parts: readonly Part[]): Message {
  const { tokens: _, ...rest } = message;
  return { ...rest, parts };
}

/** Copy of the message with other parts; the message itself if no part differs. */
export function withChangedParts(message: Message, parts: readonly Part[]): Message {
  const isSame = parts.length === message.parts.length && parts.every((part, i) => part === message.parts[i]);
  return isSame ? message : withParts(message, parts);
}

/** Makes a message for the same session and time as `beside`. */
export function besideMessage(beside: Message, id: string, role: Role, parts: readonly Part[]): Message {
  const { sessionId, createdAt, provenance } = beside;
  return omitUndefined({ id, sessionId, role, parts, createdAt, provenance });
}

/** Makes a text part that Throughline inserts. */
export function syntheticText(id: string, text: string): TextPart {
  return { id, type: "text", text, synthetic: true };
}

export function callText({ id, toolName, input }: ToolCallPart): TextPart {
  return syntheticText(id, `[Call of ${toolName}: ${JSON.stringify(input)}]`);
}

export function fileName({ id, filename = "", mediaType }: FilePart): TextPart {
  return syntheticText(id, `[File ${filename} ${mediaType}]`);
}

/** The part itself if the role may hold it, otherwise a text version of it. */
export function partForRole(role: Role, part: Part): Part {
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
