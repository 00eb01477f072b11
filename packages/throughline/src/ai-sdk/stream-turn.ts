import { omitUndefined } from "../internal/json.ts";
import type { Session } from "../session/session.ts";
import type { PreparedTurn, PrepareOptions } from "../session/turn.ts";
import { persist } from "./persist.ts";
import { type PreparedStep, prepareStep } from "./prepare-step.ts";
import type { StepInput } from "./sdk-types.ts";

/** The AI SDK's `streamText`, passed in so that the package does not import the SDK. */
export type StreamText<R> = (options: never) => R;

export interface StreamOptions<R> {
  /** `streamText` of the AI SDK, version 6 or 7. */
  readonly streamText: StreamText<R>;
  /** Any model of the AI SDK. */
  readonly model: unknown;
  /** System prompt. Default: empty. */
  readonly system?: string;
  /** Tools of the AI SDK by name. */
  readonly tools?: Readonly<Record<string, unknown>>;
  /** Other settings of `streamText`: `stopWhen`, `maxOutputTokens`, `providerOptions`, … */
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** Streams the reply to a prepared turn, prepares later steps, and appends everything to the session. */
export function streamTurn<R>(
  session: Session,
  turn: Pick<PreparedTurn, "messages" | "system">,
  { streamText, model, system = "", tools, settings }: StreamOptions<R>,
  { signal, memory }: Pick<PrepareOptions, "signal" | "memory">,
): R {
  const prepare = prepareStep(session, omitUndefined({ system, memory, signal }));
  const ended = persist(session);
  const options = omitUndefined({
    ...settings,
    model,
    tools,
    system: turn.system === "" ? undefined : turn.system,
    messages: turn.messages,
    abortSignal: signal,
    prepareStep: async (step: StepInput & { readonly stepNumber: number }): Promise<PreparedStep | undefined> => {
      // Results of an approval come after the window. Without them the first step is already prepared.
      const isPrepared = step.stepNumber === 0 && step.messages.length === turn.messages.length;
      return isPrepared ? undefined : prepare(step);
    },
    onStepEnd: ended,
    onStepFinish: ended,
  });
  return streamText(options as never);
}
