import { arrayField, isRecord, type JsonRecord, stringField } from "../../internal/json.ts";
import { readContentPart, writeContentPart } from "./openai-content.ts";
import type { PieceForm } from "./tool-content.ts";

export const FORMAT = "openai-responses";

/** This part was in the same item as the part before it. */
export const JOINED = "joined";

/** The reasoning item had no summary field. */
export const NO_SUMMARY = "no-summary";

/** Content that messages and outputs share. */
export const PIECES: PieceForm = {
  format: FORMAT,
  read: (raw) => readContentPart(raw, FORMAT),
  write: (part) => writeContentPart(part, FORMAT, "tool"),
};

/** Name of the field that holds the output of a call. */
export function outputField(type: string): "output" | "tools" {
  return type === "tool_search_output" ? "tools" : "output";
}

/** Readable text of a reasoning item. */
export function reasoningText(item: JsonRecord): string {
  return [...(arrayField(item, "summary") ?? []), ...(arrayField(item, "content") ?? [])]
    .filter(isRecord)
    .map((piece) => stringField(piece, "text") ?? "")
    .join("\n\n");
}
