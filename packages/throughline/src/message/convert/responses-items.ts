import { arrayField, isRecord, type JsonRecord, stringField } from "../../internal/json.ts";
import { readContentPart, writeContentPart } from "./openai-content.ts";
import type { PieceForm } from "./tool-content.ts";

export const FORMAT = "openai-responses";

/** This piece stood in one item with the piece before it. */
export const JOINED = "joined";

/** The reasoning had no summary, not even an empty one. */
export const NO_SUMMARY = "no-summary";

/** The pieces that messages and outputs share. */
export const PIECES: PieceForm = {
  format: FORMAT,
  read: (raw) => readContentPart(raw, FORMAT),
  write: (part) => writeContentPart(part, FORMAT, "tool"),
};

/** The field in which an item of that type holds what a call gave back. */
export function outputField(type: string): "output" | "tools" {
  return type === "tool_search_output" ? "tools" : "output";
}

/** What can be read of a reasoning item. */
export function reasoningText(item: JsonRecord): string {
  return [...(arrayField(item, "summary") ?? []), ...(arrayField(item, "content") ?? [])]
    .filter(isRecord)
    .map((piece) => stringField(piece, "text") ?? "")
    .join("\n\n");
}
