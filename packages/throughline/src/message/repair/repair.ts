import { isAllowedIn } from "../legality-rules.ts";
import type { Message, Role } from "../message.ts";
import type { Part, TextPart } from "../part.ts";
import { toolOutputText } from "../tool-output.ts";

export type RepairCode =
  | "renamed-call-id"
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

/** A step of the repair: the same list where there is nothing to do. */
export type RepairStep = (messages: readonly Message[], report: Report) => readonly Message[];

/** A text that Throughline puts into a window in place of something else. */
export function syntheticText(id: string, text: string): TextPart {
  return { id, type: "text", text, synthetic: true };
}

/** The part itself where that role may hold it, else what it says. */
export function toldBy(role: Role, part: Part): Part {
  if (isAllowedIn(role, part)) return part;
  switch (part.type) {
    case "reasoning":
      return syntheticText(part.id, part.text);
    case "tool-call":
      return syntheticText(part.id, `[Call of ${part.toolName}: ${JSON.stringify(part.input)}]`);
    case "tool-result": {
      const { toolName, output } = part;
      return syntheticText(part.id, `[Result of ${toolName}, whose call is not here]\n${toolOutputText(output)}`);
    }
    case "compaction-marker":
      return syntheticText(part.id, part.summary);
    case "file":
      return syntheticText(part.id, `[File ${part.filename ?? ""} ${part.mediaType}]`);
    default:
      return syntheticText(part.id, `[${part.type}]`);
  }
}
