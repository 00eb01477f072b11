import { omitUndefined } from "../internal/json.ts";
import type { Session } from "../session/session.ts";
import type { PreparedTurn, PrepareOptions } from "../session/turn.ts";
import { persist } from "./persist.ts";
import { type PreparedStep, prepareStep } from "./prepare-step.ts";
import type { StepInput } from "./sdk-types.ts";

/** The SDK's `streamText`: it is given, so that no copy of the SDK is imported. */
export type StreamText<R> = (options: never) => R;

export interface StreamOptions<R> {
  readonly streamText: StreamText<R>;
  /** Any model of the SDK. */
  readonly model: unknown;
  readonly system?: string;
  readonly tools?: Readonly<Record<string, unknown>>;
  /** Whatever else `streamText` takes: `stopWhen`, `maxOutputTokens`, `providerOptions`, … */
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** Streams a reply to a prepared turn; later steps are prepared as they come, and all of it goes into the session. */
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
      // What an approval brought stands behind the window; without that, the first step is prepared already.
      const isPrepared = step.stepNumber === 0 && step.messages.length === turn.messages.length;
      return isPrepared ? undefined : prepare(step);
    },
    onStepEnd: ended,
    onStepFinish: ended,
  });
  return streamText(options as never);
}
