import { type OptionRules, TEXTS } from "../errors/check-options.ts";

/**
 * Recorded requests and answers of models as plain JSON: write it with `JSON.stringify`, read it with `JSON.parse`.
 * Keys, tokens and passwords are redacted; request headers are not recorded.
 */
export interface Tape {
  readonly format: "throughline-tape";
  readonly version: 1;
  /** Recorded model; undefined before the first call. */
  model?: TapedModel;
  /** Messages and tool definitions, each once. Calls refer to them by index. */
  readonly messages: unknown[];
  readonly calls: TapedCall[];
}

export interface TapedModel {
  /** `v3` and `v4` are AI SDK language models; `text` is a Throughline model. */
  readonly specification: string;
  readonly modelId: string;
  readonly provider?: string;
  readonly supportedUrls?: unknown;
  readonly contextLimit?: number;
}

/** One recorded call. */
export interface TapedCall {
  readonly call: CallKind;
  /** Hash of the request. */
  readonly hash: string;
  readonly request: Readonly<Record<string, unknown>>;
  /** Answer; for a stream the fields beside its parts. */
  readonly result?: unknown;
  /** Parts of a stream, in order. */
  readonly parts?: readonly unknown[];
  /** Thrown error; for a stream after its parts. */
  readonly error?: unknown;
}

export interface TapeOptions {
  /** Additional texts to redact. Texts that look like keys, tokens or passwords are always redacted. */
  readonly secrets?: readonly string[];
}

/** Checks of the options. */
export const TAPE_RULES: OptionRules<TapeOptions> = { secrets: TEXTS };

export type CallKind = "generate" | "stream" | "text";

/**
 * Creates an empty tape.
 *
 * @example
 * const tape = createTape();
 * await generateText({ model: recordingModel(languageModel, tape), prompt: "Hello" });
 * await writeFile("hello.tape.json", JSON.stringify(tape, null, 2));
 */
export function createTape(): Tape {
  return { format: "throughline-tape", version: 1, messages: [], calls: [] };
}
