import type { ReportedUsage } from "throughline";
import { convertGeminiToRich, type GeminiContent } from "throughline/internal/engine";
import {
  arrayField,
  isRecord,
  type JsonRecord,
  numberField,
  omitUndefined,
  recordField,
  tryParseJson,
} from "throughline/internal/util";
import type { Answer, AnswerReader } from "./wire.ts";

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
    const content: GeminiContent = { role: "model", parts: joinTexts(this.#parts) };
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
function joinTexts(parts: readonly JsonRecord[]): readonly JsonRecord[] {
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
