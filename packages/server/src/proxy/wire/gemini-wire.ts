import { InvalidMessageError, type ReportedUsage } from "throughline";
import { convertGeminiToRich, convertRichToGemini, type GeminiContent, geminiIds } from "throughline/internal/engine";
import {
  arrayField,
  isRecord,
  type JsonRecord,
  numberField,
  omitUndefined,
  recordField,
  stringField,
  tryParseJson,
} from "throughline/internal/util";
import { ERROR_STARTS } from "../upstream/event-stream.ts";
import { type Answer, type AnswerReader, definitionsIn, joinTexts, type Wire } from "./wire.ts";

/** A Gemini request: the path has the method and the model. */
interface GeminiCall {
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

/** `callsBefore` is the number of tool calls in the conversation before the answer. */
export function geminiAnswerReader(callsBefore: number): AnswerReader {
  return new GeminiAnswerReader(callsBefore);
}

/** A stream is a list of responses whose parts follow each other; without `alt=sse` it is one JSON list. */
class GeminiAnswerReader implements AnswerReader {
  readonly #callsBefore: number;
  readonly #parts: JsonRecord[] = [];
  #candidates = 1;
  #usage: ReportedUsage | undefined;
  isFinished = false;
  /** Some servers send `finishReason` with every chunk. */
  readonly isOpenEnded = true;
  failure: unknown;

  constructor(callsBefore: number) {
    this.#callsBefore = callsBefore;
  }

  event(data: string): void {
    this.#take(tryParseJson(data)?.value);
  }

  body(json: unknown): void {
    for (const piece of Array.isArray(json) ? json : [json]) this.#take(piece);
  }

  answer(): Answer | undefined {
    if (!this.isFinished || this.failure !== undefined) return undefined;
    // The next request shows which of several candidates the user took.
    if (this.#candidates !== 1 || this.#parts.length === 0) return { messages: [], usage: this.#usage };
    const content: GeminiContent = { role: "model", parts: joinPieces(this.#parts) };
    return { messages: convertGeminiToRich([content], "", { callsBefore: this.#callsBefore }), usage: this.#usage };
  }

  #take(piece: unknown): void {
    if (!isRecord(piece)) return;
    this.failure ??= piece.error ?? undefined;
    this.#usage = readGeminiUsage(piece) ?? this.#usage;
    // A response to a blocked prompt has no candidates.
    if (recordField(piece, "promptFeedback")?.blockReason !== undefined) this.isFinished = true;
    for (const candidate of (arrayField(piece, "candidates") ?? []).filter(isRecord)) this.#candidate(candidate);
  }

  #candidate(candidate: JsonRecord): void {
    this.#candidates = Math.max(this.#candidates, (numberField(candidate, "index") ?? 0) + 1);
    const parts = arrayField(recordField(candidate, "content") ?? {}, "parts") ?? [];
    this.#parts.push(...parts.filter(isRecord));
    if (typeof candidate.finishReason === "string") this.isFinished = true;
  }
}

/** Joins the pieces of a text into one part. A piece with other fields ends the part, and empty ones are dropped. */
function joinPieces(parts: readonly JsonRecord[]): readonly JsonRecord[] {
  const joined: JsonRecord[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (isPlain(part) && part.text === "") continue;
    const isNext = last !== undefined && isPlain(last) && isPlain(part) && last.thought === part.thought;
    if (isNext) joined[joined.length - 1] = { ...last, text: `${last.text}${part.text}` };
    else joined.push(part);
  }
  return joined;
}

function isPlain(part: JsonRecord): boolean {
  return typeof part.text === "string" && Object.keys(part).every((name) => name === "text" || name === "thought");
}

function readGeminiUsage(from: JsonRecord): ReportedUsage | undefined {
  const usage = recordField(from, "usageMetadata");
  const inputTokens = usage && numberField(usage, "promptTokenCount");
  if (usage === undefined || inputTokens === undefined || inputTokens <= 0) return undefined;
  return omitUndefined({ inputTokens, cacheReadTokens: numberField(usage, "cachedContentTokenCount") });
}
