import { ThroughlineError } from "../errors/throughline-error.ts";
import { isRecord, omitUndefined } from "../internal/json.ts";
import { toRichWindow } from "../message/to-rich-window.ts";
import { parseOverflowError, type ReportedOverflow } from "../overflow/parse-overflow-error.ts";
import type { Session } from "../session/session.ts";
import type { SessionEvent } from "../session/session-events.ts";
import type { PreparedTurn, PrepareOptions } from "../session/session-options.ts";
import { prepareStep } from "./prepare-step.ts";
import { trackerOf } from "./session-tracker.ts";
import {
  type FinishedStep,
  type StepInput,
  type StreamOf,
  type StreamOptions,
  type StreamReader,
  settingsOf,
} from "./stream-settings.ts";

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

/** Event of a running turn. */
export type TurnEvent =
  | SessionEvent
  | { readonly type: "text-delta"; readonly data: { readonly text: string } }
  | { readonly type: "reasoning-delta"; readonly data: { readonly text: string } }
  | { readonly type: "tool-call"; readonly data: ToolData & { readonly input: unknown } }
  | { readonly type: "tool-result"; readonly data: ToolData & { readonly output: unknown } }
  | { readonly type: "tool-error"; readonly data: ToolData & { readonly message: string } }
  | { readonly type: "tool-approval-request"; readonly data: ToolData & { readonly approvalId: string } }
  | { readonly type: "error"; readonly data: { readonly message: string; readonly code: string } }
  | { readonly type: "done"; readonly data: { readonly finishReason: string } };

interface ToolData {
  readonly toolCallId: string;
  readonly toolName: string;
}

/** Converts one part of the AI SDK's stream to an event; `undefined` for most parts. */
export function toTurnEvent(part: unknown): TurnEvent | undefined {
  if (!isRecord(part)) return undefined;
  const { type } = part;
  switch (type) {
    case "text-delta":
    case "reasoning-delta":
      return { type, data: { text: String(part.text ?? part.delta ?? "") } };
    case "tool-call":
      return { type, data: { ...toolData(part), input: part.input } };
    case "tool-result":
      return { type, data: { ...toolData(part), output: part.output } };
    case "tool-error":
      return { type, data: { ...toolData(part), message: messageOf(part.error) } };
    case "tool-approval-request": {
      const call = isRecord(part.toolCall) ? part.toolCall : part;
      return { type, data: { ...toolData(call), approvalId: String(part.approvalId) } };
    }
    case "error":
      return toErrorEvent(part.error);
    case "abort":
      return { type: "error", data: { message: "The turn was stopped.", code: "aborted" } };
    default:
      return undefined;
  }
}

export function toErrorEvent(error: unknown): TurnEvent {
  const isAborted = isRecord(error) && error.name === "AbortError";
  const code = ThroughlineError.isInstance(error) ? error.code : isAborted ? "aborted" : "model";
  return { type: "error", data: { message: messageOf(error), code } };
}

/** Writes a server-sent event: its name, and its data as one line of JSON. */
export function toSse({ type, data }: TurnEvent): string {
  return `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}

function toolData({ toolCallId, toolName }: Readonly<Record<string, unknown>>): ToolData {
  return { toolCallId: String(toolCallId), toolName: String(toolName) };
}

function messageOf(error: unknown): string {
  if (isRecord(error) && typeof error.message === "string") return error.message;
  return String(error);
}

/** A global of all supported runtimes that the ES types lack. */
const { ReadableStream } = globalThis as unknown as {
  ReadableStream: new <T>(source: StreamSource<T>, strategy: { highWaterMark: number }) => StreamOf<T>;
};

interface StreamSource<T> {
  pull(controller: { enqueue(value: T): void; close(): void }): Promise<void>;
  cancel(reason: unknown): Promise<void>;
}

/** Makes a pull-based stream without buffering. `stop` ends the source, started or not. */
export function streamFrom<T>(values: AsyncIterator<T>, stop?: () => Promise<void>): StreamOf<T> {
  return new ReadableStream<T>(
    {
      async pull(controller) {
        const next = await values.next();
        if (next.done === true) controller.close();
        else controller.enqueue(next.value);
      },
      async cancel() {
        await values.return?.();
        await stop?.();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Yields the values of a stream. */
export async function* valuesOf<T>(reader: StreamReader<T>): AsyncGenerator<T, void, undefined> {
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value as T;
  }
}

/**
 * Runs a call that prepares its window from the session. If the provider answers that the prompt is too long, the
 * session learns the limit and the call is retried once. A second refusal is thrown unchanged.
 *
 * @param session Session that prepares the window.
 * @param call Prepares the window and calls the model.
 *
 * @example
 * const result = await withOverflowRecovery(session, async () => {
 *   const turn = await session.prepare({ system: "Be brief." });
 *   return generateText({ model, system: turn.system, messages: turn.messages });
 * });
 */
export async function withOverflowRecovery<T>(session: Session, call: () => PromiseLike<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const overflow = parseOverflowError(error);
    if (overflow === undefined) throw error;
    await learnOverflow(session, overflow);
  }
  try {
    return await call();
  } catch (error) {
    const overflow = parseOverflowError(error);
    if (overflow !== undefined) await learnOverflow(session, overflow);
    throw error;
  }
}

/** Records the limit of a refused prompt, so that later windows are smaller. */
export function learnOverflow(session: Session, overflow: ReportedOverflow): Promise<void> {
  return session.reportUsage({ ...overflow, wasRefused: true });
}
