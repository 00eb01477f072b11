import { InvalidMessageError } from "throughline";
import {
  arrayField,
  convertGeminiToRich,
  convertRichToGemini,
  type GeminiContent,
  geminiIds,
  isRecord,
  type JsonRecord,
  recordField,
  stringField,
} from "throughline/internal";
import { ERROR_STARTS } from "../sniff-stream.ts";
import { geminiAnswerReader } from "./gemini-answer.ts";
import { definitionsIn, joinTexts } from "./request-fields.ts";
import type { Wire } from "./wire.ts";

/** What a request to Gemini asks for; its address says so, and which model. */
export interface GeminiCall {
  readonly modelId: string;
  /** Behind the upstream's base URL, as it was sent. */
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
        // Its limit is for the input alone.
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

/** One content may stand for a list of one. */
function contentsOf(body: JsonRecord): readonly GeminiContent[] {
  const list = isRecord(body.contents) ? [body.contents] : arrayField(body, "contents");
  if (list?.every(isRecord)) return list as unknown as readonly GeminiContent[];
  throw new InvalidMessageError({ message: 0 }, "expected a list of contents");
}

/** Google takes names in two spellings. */
function systemField(body: JsonRecord): "systemInstruction" | "system_instruction" {
  return isRecord(body.system_instruction) ? "system_instruction" : "systemInstruction";
}

function systemParts(body: JsonRecord): readonly JsonRecord[] {
  const { parts } = recordField(body, systemField(body)) ?? {};
  return (Array.isArray(parts) ? parts : [parts]).filter(isRecord);
}

/** A part of its own: what stands in front of it stays as it is. */
function withMemories(body: JsonRecord, memories: string): JsonRecord {
  const field = systemField(body);
  return { [field]: { ...recordField(body, field), parts: [...systemParts(body), { text: memories }] } };
}
