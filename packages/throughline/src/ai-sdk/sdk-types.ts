import type { ForeignModelMessage } from "../message/convert/ai-sdk.ts";
import type { ModelMessage } from "../message/convert/ai-sdk-types.ts";

/**
 * What the AI SDK, versions 6 and 7, hands over and takes back, written down here as far as it is used, so that the
 * package needs no copy of the SDK. Tests hold it against the real types of both.
 */

export type SystemMessage = Extract<ModelMessage, { role: "system" }>;

/** A system prompt as it is sent: version 7 calls it instructions. */
export type SystemPrompt = string | SystemMessage | SystemMessage[];

interface GivenSystemMessage {
  readonly role: "system";
  readonly content: string;
  readonly providerOptions?: unknown;
}

/** A system prompt as it may be given. */
export type GivenSystem = string | GivenSystemMessage | readonly GivenSystemMessage[];

/** What `prepareStep` is told. Version 6 says nothing of the system prompt nor of how it began. */
export interface StepInput {
  readonly messages: readonly ForeignModelMessage[];
  readonly initialMessages?: readonly ForeignModelMessage[];
  readonly initialInstructions?: GivenSystem | undefined;
}

/** What `onStepEnd` (version 7) and `onStepFinish` (version 6) are told. */
export interface FinishedStep {
  /** Version 7 gives the messages of the step, version 6 those of all steps so far. */
  readonly callId?: string;
  readonly stepNumber?: number;
  readonly response: { readonly messages?: readonly ForeignModelMessage[] };
  readonly usage: StepUsage;
}

/** Of one step: a number of tokens each. */
interface StepUsage {
  readonly inputTokens: number | undefined;
}

/** A stream of the web, as far as it is used. */
export interface StreamOf<T> {
  getReader(): StreamReader<T>;
}

export interface StreamReader<T> {
  read(): Promise<{ readonly done: boolean; readonly value?: T | undefined }>;
  cancel(reason?: unknown): Promise<void>;
}
