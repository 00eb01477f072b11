import { omitUndefined } from "../internal/json.ts";
import { toRichWindow } from "../message/to-rich-window.ts";
import type { Session } from "../session/session.ts";
import type { PreparedTurn, PrepareOptions } from "../session/session-options.ts";
import { prepareStep } from "./prepare-step.ts";
import type { FinishedStep, StepInput } from "./sdk-types.ts";
import { trackerOf } from "./session-tracker.ts";
import { type StreamOptions, settingsOf } from "./stream-settings.ts";

type Settings = Readonly<Record<string, unknown>>;

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
      const custom = await call(settings, "prepareStep", step);
      return custom === undefined ? prepared : { ...custom, messages: step.messages, ...prepared };
    },
    ...stepCallbacks(session, settings),
  });
  return streamText(given as never);
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

/**
 * Creates a callback for `onStepEnd` (AI SDK 7) or `onStepFinish` (AI SDK 6). It appends the messages of the step to
 * the session, once, and reports the token usage, which calibrates later counts.
 *
 * @param session Session that stores the conversation.
 *
 * @example
 * await generateText({ model, messages: prompt, prepareStep: prepareStep(session), onStepEnd: persist(session) });
 */
export function persist(session: Session): (step: FinishedStep) => Promise<void> {
  const tracker = trackerOf(session);
  return async ({ callId, stepNumber, response, usage }) => {
    const isWhole = callId === undefined;
    await tracker.appendStep(toRichWindow(response.messages ?? []), {
      isWhole,
      ...(isWhole ? {} : { id: `${callId}/${stepNumber}` }),
    });
    await tracker.observe(usage);
  };
}
