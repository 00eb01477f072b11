import type { Message } from "../message.ts";
import type { TextPart } from "../part.ts";

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
