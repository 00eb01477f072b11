import type { ForeignModelMessage } from "../message/convert/ai-sdk.ts";
import type { ModelMessage } from "../message/convert/ai-sdk-types.ts";

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
