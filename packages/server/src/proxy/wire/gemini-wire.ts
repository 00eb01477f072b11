import { InvalidMessageError } from "throughline";
import { convertGeminiToRich, convertRichToGemini, type GeminiContent, geminiIds } from "throughline/internal/engine";
import { arrayField, isRecord, type JsonRecord, recordField, stringField } from "throughline/internal/util";
import { ERROR_STARTS } from "../upstream/sniff-stream.ts";
import { geminiAnswerReader } from "./gemini-answer.ts";
import { definitionsIn, joinTexts } from "./request-fields.ts";
import type { Wire } from "./wire.ts";

/** A Gemini request: the path has the method and the model. */
export interface GeminiCall {
  readonly modelId: string;
  /** Path after the upstream's base URL, still encoded. */
  readonly path: string;
}

/** Gemini's `generateContent` and `streamGenerateContent`, for one request. */
export function geminiWire({ modelId, path }: GeminiCall): Wire {
  let calls = 0;
  return {
    family: "gemini",
    path,
    form: "generateContent",
    read(body) {
      const messages = convertGeminiToRich(contentsOf(body));
      calls = messages.flatMap(({ parts }) => parts).filter(({ type }) => type === "tool-call").length;
      return {
        modelId,
        system: joinTexts(systemParts(body).map((part) => stringField(part, "text") ?? "")),
        messages,
        definitions: [
          ...definitionsIn(body, ["tools"]),
          ...definitionsIn(recordField(body, "generationConfig") ?? {}, ["responseSchema", "responseJsonSchema"]),
        ],
        // Gemini's limit applies only to the input.
        maxTokens: 0,
        unknown: stringField(body, "cachedContent") === undefined ? undefined : "conversation-held-upstream",
      };
    },
    write(body, { messages, memories }) {
      return {
        ...(messages !== undefined && {
          contents: convertRichToGemini(messages, { ids: geminiIds(contentsOf(body)) }),
        }),
        ...(memories !== undefined && withMemories(body, memories)),
      };
    },
    reader: () => geminiAnswerReader(calls),
    openings: { starts: ERROR_STARTS, isPreamble: () => false },
  };
}

/** A single content is accepted in place of a list. */
function contentsOf(body: JsonRecord): readonly GeminiContent[] {
  const list = isRecord(body.contents) ? [body.contents] : arrayField(body, "contents");
  if (list?.every(isRecord)) return list as unknown as readonly GeminiContent[];
  throw new InvalidMessageError({ message: 0 }, "expected a list of contents");
}

/** Google accepts both spellings. */
function systemField(body: JsonRecord): "systemInstruction" | "system_instruction" {
  return isRecord(body.system_instruction) ? "system_instruction" : "systemInstruction";
}

function systemParts(body: JsonRecord): readonly JsonRecord[] {
  const { parts } = recordField(body, systemField(body)) ?? {};
  return (Array.isArray(parts) ? parts : [parts]).filter(isRecord);
}

/** Adds memories as a separate part, so that the existing prompt stays unchanged. */
function withMemories(body: JsonRecord, memories: string): JsonRecord {
  const field = systemField(body);
  return { [field]: { ...recordField(body, field), parts: [...systemParts(body), { text: memories }] } };
}
