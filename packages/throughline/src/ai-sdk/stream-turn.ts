import { omitUndefined } from "../internal/json.ts";
import type { PreparedTurn, PrepareOptions } from "../session/prepare-options.ts";
import type { Session } from "../session/session.ts";
import { persist } from "./persist.ts";
import { prepareStep } from "./prepare-step.ts";
import type { FinishedStep, StepInput } from "./sdk-types.ts";

/** The AI SDK's `streamText`, passed in so that the package does not import the SDK. */
export type StreamText<R> = (options: never) => R;

/** Options of a turn. All other settings of `streamText`, such as `stopWhen` or `maxOutputTokens`, are passed to it. */
export interface StreamOptions<R> {
  /** `streamText` of the AI SDK, version 6 or 7. */
  readonly streamText: StreamText<R>;
  /** Any model of the AI SDK. */
  readonly model: unknown;
  /** System prompt. Default: empty. */
  readonly system?: string;
  /** Tools of the AI SDK by name. */
  readonly tools?: Readonly<Record<string, unknown>>;
  /** More settings of `streamText`, for those with a name of an option here. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Other settings of `streamText`. Your `prepareStep` and step callbacks are called too; messages always come from the session. */
  readonly [setting: string]: unknown;
}

type Settings = Readonly<Record<string, unknown>>;

/** Options that are not settings of `streamText`. */
const OWN_OPTIONS = new Set([
  "streamText",
  "model",
  "system",
  "tools",
  "settings",
  "message",
  "memory",
  "signal",
  "waitForModel",
  "whileCompacting",
  "waitLimit",
  "session",
  "convertToModelMessages",
  "facts",
  "factsAge",
  "onTurn",
]);

/** Streams the reply to a prepared turn, prepares later steps, and appends everything to the session. */
export function streamTurn<R>(
  session: Session,
  turn: Pick<PreparedTurn, "messages" | "system">,
  options: StreamOptions<R>,
  { signal, memory, waitForModel }: Pick<PrepareOptions, "signal" | "memory" | "waitForModel">,
): R {
  const { streamText, model, system = "", tools } = options;
  const settings = settingsOf(options);
  const prepare = prepareStep(session, omitUndefined({ system, memory, signal, waitForModel }));
  const given = omitUndefined({
    ...settings,
    model,
    tools,
    system: turn.system === "" ? undefined : turn.system,
    messages: turn.messages,
    abortSignal: signal ?? settings.abortSignal,
    prepareStep: async (step: StepInput & { readonly stepNumber: number }): Promise<object | undefined> => {
      // Results of an approval come after the window. Without them the first step is already prepared.
      const isPrepared = step.stepNumber === 0 && step.messages.length === turn.messages.length;
      const prepared = isPrepared ? undefined : await prepare(step);
      const asked = await call(settings, "prepareStep", step);
      return asked === undefined ? prepared : { ...asked, messages: step.messages, ...prepared };
    },
    ...stepCallbacks(session, settings),
  });
  return streamText(given as never);
}

function settingsOf({ settings, ...options }: Settings & { readonly settings?: Settings }): Settings {
  const others = Object.entries(options).filter(([name]) => !OWN_OPTIONS.has(name));
  return { ...Object.fromEntries(others), ...settings };
}

/** AI SDK 7 calls `onStepEnd`, AI SDK 6 `onStepFinish`: the caller's functions are called whichever name they have. */
function stepCallbacks(session: Session, settings: Settings): Settings {
  const append = persist(session);
  const handled = new WeakSet<FinishedStep>();
  const ended = async (step: FinishedStep) => {
    if (handled.has(step)) return;
    handled.add(step);
    await append(step);
    await call(settings, "onStepEnd", step);
    await call(settings, "onStepFinish", step);
  };
  return { onStepEnd: ended, onStepFinish: ended };
}

/** Calls a function that the caller gave as a setting. */
async function call(settings: Settings, name: string, step: unknown): Promise<object | undefined> {
  const given = settings[name];
  return typeof given === "function" ? given(step) : undefined;
}
