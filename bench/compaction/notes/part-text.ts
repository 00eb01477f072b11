import { valuesText } from "throughline/internal/util";
import type { TranscriptMessage, TranscriptPart } from "./transcript.ts";

export function partText(part: TranscriptPart): string {
  return part.kind === "call" ? valuesText(part.input) : part.text;
}

/** The texts of a message without calls, results and reasoning. */
export function saidIn(message: TranscriptMessage): string {
  return message.parts.flatMap((part) => (part.kind === "text" && part.text !== "" ? [part.text] : [])).join("\n");
}
