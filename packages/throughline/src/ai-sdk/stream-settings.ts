import {
  type CheckedLater,
  checkOptions,
  FUNCTION,
  OBJECT,
  type OptionRule,
  type OptionRules,
  TEXT,
} from "../errors/check-options.ts";
import { InvalidOptionError } from "../errors/input-errors.ts";
import { isRecord } from "../internal/json.ts";
import type { ForeignModelMessage } from "../message/convert/ai-sdk.ts";
import type { ModelMessage } from "../message/convert/ai-sdk-types.ts";

/**
 * Names of the settings of `streamText`, AI SDK 6 and 7, that are passed on. A test compares them with both versions.
 */
const STREAM_SETTINGS = [
  "abortSignal",
  "activeTools",
  "allowSystemInMessages",
  "experimental_activeTools",
  "experimental_context",
  "experimental_download",
  "experimental_include",
  "experimental_onLanguageModelCallEnd",
  "experimental_onLanguageModelCallStart",
  "experimental_onStart",
  "experimental_onStepStart",
  "experimental_onToolCallFinish",
  "experimental_onToolCallStart",
  "experimental_output",
  "experimental_refineToolInput",
  "experimental_repairToolCall",
  "experimental_sandbox",
  "experimental_steering",
  "experimental_telemetry",
  "experimental_toolApprovalSecret",
  "experimental_toolCallers",
  "experimental_transform",
  "frequencyPenalty",
  "headers",
  "include",
  "includeRawChunks",
  "maxOutputTokens",
  "maxRetries",
  "onAbort",
  "onChunk",
  "onEnd",
  "onError",
  "onFinish",
  "onLanguageModelCallEnd",
  "onLanguageModelCallStart",
  "onStart",
  "onStepEnd",
  "onStepError",
  "onStepFinish",
  "onStepStart",
  "onToolExecutionEnd",
  "onToolExecutionStart",
  "output",
  "prepareStep",
  "presencePenalty",
  "providerOptions",
  "reasoning",
  "repairToolCall",
  "runtimeContext",
  "seed",
  "stopSequences",
  "stopWhen",
  "streamRetries",
  "telemetry",
  "temperature",
  "timeout",
  "toolApproval",
  "toolCallConcurrency",
  "toolChoice",
  "toolOrder",
  "toolsContext",
  "topK",
  "topP",
] as const;

/** Name of a setting of `streamText` in AI SDK 6 or 7, except `messages`, `prompt` and `instructions`. */
export type StreamSetting = (typeof STREAM_SETTINGS)[number];

/** The AI SDK's `streamText`, passed in so that the package does not import the SDK. */
export type StreamText<R> = (options: never) => R;

/**
 * Options of a turn. Settings of `streamText`, such as `stopWhen` or `maxOutputTokens`, are passed to it; their values
 * are not checked. Your `prepareStep` and step callbacks are called too.
 */
export interface StreamOptions<R> extends Readonly<Partial<Record<StreamSetting, unknown>>> {
  /** `streamText` of the AI SDK, version 6 or 7. */
  readonly streamText: StreamText<R>;
  /** Any model of the AI SDK. */
  readonly model: unknown;
  /** System prompt. Default: empty. */
  readonly system?: string;
  /** Tools of the AI SDK by name. */
  readonly tools?: Readonly<Record<string, unknown>>;
  /**
   * More settings of `streamText`, for those that a newer version of the AI SDK adds. Neither names nor values are
   * checked.
   */
  readonly settings?: Readonly<Record<string, unknown>>;
}

const SETTINGS: ReadonlySet<string> = /* @__PURE__ */ new Set(STREAM_SETTINGS);
const PASSED_ON: CheckedLater = {
  names: SETTINGS,
  wanted: "or a setting of streamText; pass one of a newer AI SDK in `settings`",
};

/** Checks of the options of a turn. */
export const STREAM_RULES: OptionRules<
  Pick<StreamOptions<unknown>, "streamText" | "model" | "system" | "tools" | "settings">
> = {
  streamText: FUNCTION,
  model: [(value) => typeof value === "string" || isRecord(value), "a model of the AI SDK, or its id"],
  system: TEXT,
  tools: OBJECT,
  settings: OBJECT,
};

/** Settings of `streamText` that the session sets, and the way to change them. */
const OWN_SETTINGS: Readonly<Record<string, string>> = {
  instructions: "the option system, which AI SDK 7 gets as its instructions",
  messages: "none: messages come from the session",
  prompt: "none: messages come from the session",
};

/**
 * Checks the options of a function that calls `streamText`.
 *
 * @param rules Rules for the options besides those of `streamText`.
 * @throws InvalidOptionError for names that are neither options nor settings of `streamText`, and for settings that the
 *   session sets.
 */
export function checkStreamOptions(place: string, options: object, rules: Readonly<Record<string, OptionRule>>): void {
  const settings = isRecord(options) && isRecord(options.settings) ? options.settings : {};
  for (const [name, wanted] of Object.entries(OWN_SETTINGS)) {
    if (!Object.hasOwn(options, name) && !Object.hasOwn(settings, name)) continue;
    throw new InvalidOptionError(`option of ${place}`, JSON.stringify(name), wanted);
  }
  for (const name of Object.keys(settings)) {
    if (name === "settings" || !Object.hasOwn(rules, name)) continue;
    throw new InvalidOptionError(`settings of ${place}`, JSON.stringify(name), `${place}({ ${name} }), not settings`);
  }
  checkOptions<object>(place, options, rules, PASSED_ON);
}

/** The settings of `streamText` among the options, and those in `settings`. */
export function settingsOf(options: StreamOptions<unknown>): Readonly<Record<string, unknown>> {
  const given = Object.entries(options).filter(([name]) => SETTINGS.has(name));
  return { ...Object.fromEntries(given), ...options.settings };
}

/**
 * Types of the AI SDK, versions 6 and 7, as far as they are used. Declared here so that the package does not depend on
 * the SDK. Tests compare them with the real types of both versions.
 */

export type SystemMessage = Extract<ModelMessage, { role: "system" }>;

/** A system prompt as sent. AI SDK 7 calls it instructions. */
export type SystemPrompt = string | SystemMessage | SystemMessage[];

interface GivenSystemMessage {
  readonly role: "system";
  readonly content: string;
  readonly providerOptions?: unknown;
}

/** A system prompt as accepted from the caller. */
export type GivenSystem = string | GivenSystemMessage | readonly GivenSystemMessage[];

/** Input of `prepareStep`. AI SDK 6 passes neither the system prompt nor the initial messages. */
export interface StepInput {
  readonly messages: readonly ForeignModelMessage[];
  readonly initialMessages?: readonly ForeignModelMessage[];
  readonly initialInstructions?: GivenSystem | undefined;
}

/** Input of `onStepEnd` (AI SDK 7) and `onStepFinish` (AI SDK 6). */
export interface FinishedStep {
  /** Only in AI SDK 7, whose messages are those of the step. AI SDK 6 passes the messages of all steps so far. */
  readonly callId?: string;
  readonly stepNumber?: number;
  readonly response: { readonly messages?: readonly ForeignModelMessage[] };
  readonly usage: StepUsage;
}

/** Token usage of one step. */
interface StepUsage {
  readonly inputTokens: number | undefined;
}

/** A web stream, as far as it is used. */
export interface StreamOf<T> {
  getReader(): StreamReader<T>;
}

export interface StreamReader<T> {
  read(): Promise<{ readonly done: boolean; readonly value?: T | undefined }>;
  cancel(reason?: unknown): Promise<void>;
}
