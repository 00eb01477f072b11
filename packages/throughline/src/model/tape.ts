/**
 * What models were asked and what they answered, as plain JSON: `JSON.stringify` writes it to a file, `JSON.parse` reads
 * it back. Keys, tokens and passwords have stars in their place; headers that were sent are not on it.
 */
export interface Tape {
  readonly format: "throughline-tape";
  readonly version: 1;
  /** Whose answers these are; nothing before the first call. */
  model?: TapedModel;
  /** Messages of prompts and definitions of tools, each once: calls name them by their place in this list. */
  readonly messages: unknown[];
  readonly calls: TapedCall[];
}

export interface TapedModel {
  /** `v3` and `v4` are language models of the AI SDK, `text` is one behind our own port. */
  readonly specification: string;
  readonly modelId: string;
  readonly provider?: string;
  readonly supportedUrls?: unknown;
  readonly contextLimit?: number;
}

/** One call: what was asked, and what came of it. */
export interface TapedCall {
  readonly call: CallKind;
  /** Of the request. */
  readonly hash: string;
  readonly request: Readonly<Record<string, unknown>>;
  /** The answer; of a stream what came beside its parts. */
  readonly result?: unknown;
  /** The parts of a stream, each as it came. */
  readonly parts?: readonly unknown[];
  /** What was thrown; of a stream behind its parts. */
  readonly error?: unknown;
}

export interface TapeOptions {
  /** Texts that must not be on the tape, beside those that look like keys, tokens or passwords. */
  readonly secrets?: readonly string[];
}

export type CallKind = "generate" | "stream" | "text";

/**
 * An empty tape.
 *
 * @example
 * const tape = createTape();
 * await generateText({ model: recordingModel(openai("gpt-5"), tape), prompt: "Hello" });
 * await writeFile("hello.tape.json", JSON.stringify(tape, null, 2));
 */
export function createTape(): Tape {
  return { format: "throughline-tape", version: 1, messages: [], calls: [] };
}
