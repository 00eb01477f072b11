import { checkOptions, checkSession, type OptionRules } from "../errors/check-options.ts";
import { IrreducibleContextError } from "../errors/session-errors.ts";
import { isRecord, omitUndefined } from "../internal/json.ts";
import type { ForeignModelMessage } from "../message/convert/ai-sdk.ts";
import { toRichWindow } from "../message/to-rich-window.ts";
import { parseOverflowError } from "../overflow/parse-overflow-error.ts";
import type { Session } from "../session/session.ts";
import { PREPARE_RULES, type PrepareOptions } from "../session/session-options.ts";
import { countTokens } from "../tokens/count-tokens.ts";
import { AnswerCollector, readAnswer, readPrompt, writePrompt } from "./model-messages.ts";
import { splitSystem, systemText, withPrepared } from "./prepare-step.ts";
import { type SessionTracker, trackerOf } from "./session-tracker.ts";
import type { StreamOf, StreamReader, SystemMessage } from "./stream-settings.ts";
import { learnOverflow, streamFrom, valuesOf } from "./stream-turn.ts";

export type MiddlewareOptions = Pick<PrepareOptions, "memory" | "budget" | "maxBytes" | "waitForModel">;

const { memory, budget, maxBytes, waitForModel } = PREPARE_RULES;
const MIDDLEWARE_RULES: OptionRules<MiddlewareOptions> = { memory, budget, maxBytes, waitForModel };

/** Call parameters of a model (specification 3 or 4), as far as they are used. */
interface CallParams {
  readonly prompt: readonly unknown[];
  readonly tools?: readonly unknown[];
  readonly abortSignal?: AbortSignal;
}

interface Generated {
  readonly content: readonly unknown[];
  readonly usage: unknown;
}

interface Streamed {
  readonly stream: StreamOf<unknown>;
}

/** Inputs of a window, to prepare it again. */
interface Origin {
  readonly system: readonly SystemMessage[];
  readonly memory: PrepareOptions["memory"];
  readonly specification: string;
}

/** Stream parts before the first content. */
const PREAMBLE: readonly unknown[] = ["stream-start", "response-metadata", "raw"];

/** A middleware for AI SDK 6 and 7. */
export interface SessionMiddleware {
  readonly specificationVersion: "v3";
  transformParams<P extends CallParams>(options: {
    readonly params: P;
    readonly model: { readonly specificationVersion: string };
  }): Promise<P>;
  wrapGenerate<P extends CallParams, R extends Generated>(options: {
    doGenerate(): PromiseLike<R>;
    readonly params: P;
    readonly model: { doGenerate(params: P): PromiseLike<R> };
  }): Promise<R>;
  wrapStream<P extends CallParams, R extends Streamed>(options: {
    doStream(): PromiseLike<R>;
    readonly params: P;
    readonly model: { doStream(params: P): PromiseLike<R> };
  }): Promise<R>;
}

/**
 * Creates a middleware for `wrapLanguageModel`, AI SDK 6 and 7. It replaces each prompt with a window that fits and
 * appends each answer to the session. If the provider still refuses the prompt as too long, the session learns the
 * limit and the call is retried once. All calls of the wrapped model belong to the session.
 *
 * @param session Session that stores the conversation.
 * @param options Memory settings of the prepared windows.
 * @throws InvalidOptionError if `session` is no session, or an option is invalid or unknown.
 *
 * @example
 * const wrapped = wrapLanguageModel({ model, middleware: middleware(session) });
 */
export function middleware(session: Session, options: MiddlewareOptions = {}): SessionMiddleware {
  checkSession("middleware", session);
  checkOptions("middleware", options, MIDDLEWARE_RULES);
  const calls = new SessionCalls(session, options);
  return {
    specificationVersion: "v3",
    transformParams: ({ params, model }) => calls.prepare(params, model.specificationVersion),
    async wrapGenerate({ doGenerate, params, model }) {
      const result = await calls.recover(doGenerate, params, (retryParams) => model.doGenerate(retryParams));
      await calls.saveAnswer(result.content, result.usage);
      return result;
    },
    async wrapStream({ doStream, params, model }) {
      const { result, ahead, reader } = await calls.recover(
        async () => throwEarlyRefusal(await openStream(doStream)),
        params,
        (retryParams) => openStream(() => model.doStream(retryParams)),
      );
      return { ...result, stream: streamFrom(calls.record(ahead, reader), () => reader.cancel()) };
    },
  };
}

class SessionCalls {
  readonly #session: Session;
  readonly #options: MiddlewareOptions;
  readonly #tracker: SessionTracker;
  readonly #origins = new WeakMap<CallParams, Origin>();

  constructor(session: Session, options: MiddlewareOptions) {
    this.#session = session;
    this.#options = options;
    this.#tracker = trackerOf(session);
  }

  async prepare<P extends CallParams>(params: P, specification: string): Promise<P> {
    const { system, others } = splitSystem(params.prompt as readonly ForeignModelMessage[]);
    const list = readPrompt(others);
    if (this.#tracker.isWindow(list, "prompt")) {
      // `prepareStep` has prepared this prompt already, including memories.
      this.#origins.set(params, { system, memory: undefined, specification });
      return params;
    }
    await this.#tracker.appendNew(list, "prompt");
    return this.#window(params, { system, memory: this.#options.memory, specification });
  }

  async #window<P extends CallParams>(params: P, origin: Origin): Promise<P> {
    const { system, memory, specification } = origin;
    const { memory: _, ...limits } = this.#options;
    const toolTokens = params.tools === undefined ? 0 : countTokens(JSON.stringify(params.tools));
    const turnOptions = { ...limits, memory, toolTokens, signal: params.abortSignal, system: systemText(system) };
    const turn = await this.#session.prepare(omitUndefined(turnOptions));
    this.#tracker.recordWindow(toRichWindow(turn.messages));
    const prompt = writePrompt(withPrepared(system, turn.system), turn.messages, specification);
    const made = { ...params, prompt };
    this.#origins.set(made, origin);
    return made;
  }

  /** Makes a call, and retries once with a smaller window if the prompt was too long. */
  async recover<P extends CallParams, R>(
    call: () => PromiseLike<R>,
    params: P,
    callAgain: (params: P) => PromiseLike<R>,
  ): Promise<R> {
    try {
      return await call();
    } catch (error) {
      const origin = this.#origins.get(params);
      if (origin === undefined || !(await this.#learn(error))) throw error;
      const smaller = await this.#unlessIrreducible(() => this.#window(params, origin));
      if (smaller === undefined) throw error;
      return this.#lastTry(() => callAgain(smaller));
    }
  }

  async #lastTry<R>(call: () => PromiseLike<R>): Promise<R> {
    try {
      return await call();
    } catch (error) {
      await this.#learn(error);
      throw error;
    }
  }

  async #unlessIrreducible<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof IrreducibleContextError) return undefined;
      throw error;
    }
  }

  async #learn(error: unknown): Promise<boolean> {
    const overflow = parseOverflowError(error);
    if (overflow !== undefined) await learnOverflow(this.#session, overflow);
    return overflow !== undefined;
  }

  /** Appends the answer to the session and reports the token usage, which calibrates later counts. */
  async saveAnswer(content: readonly unknown[], usage: unknown): Promise<void> {
    const answer = readAnswer(content);
    if (answer !== undefined) await this.#tracker.appendAnswer(answer);
    await this.#tracker.observe(usage);
  }

  /** Yields the parts of a stream and appends the answer before the last part. An incomplete answer is not appended. */
  async *record(ahead: readonly unknown[], reader: StreamReader<unknown>): AsyncGenerator<unknown, void, undefined> {
    const collector = new AnswerCollector();
    for await (const part of withAhead(ahead, reader)) {
      collector.take(part);
      if (isRecord(part) && part.type === "error") await this.#learn(part.error);
      if (collector.finish === part) await this.saveAnswer(collector.content, collector.finish?.usage);
      yield part;
    }
  }
}

interface OpenedStream<R> {
  readonly result: R;
  /** Parts read ahead to inspect the start of the stream. */
  readonly ahead: readonly unknown[];
  readonly reader: StreamReader<unknown>;
}

async function openStream<R extends Streamed>(call: () => PromiseLike<R>): Promise<OpenedStream<R>> {
  const result = await call();
  const reader = result.stream.getReader();
  const ahead: unknown[] = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    ahead.push(value);
    if (!isRecord(value) || !PREAMBLE.includes(value.type)) break;
  }
  return { result, ahead, reader };
}

/** Some providers refuse inside the stream instead of with a status code. */
async function throwEarlyRefusal<R>(opened: OpenedStream<R>): Promise<OpenedStream<R>> {
  const first = opened.ahead.at(-1);
  if (!isRecord(first) || first.type !== "error" || parseOverflowError(first.error) === undefined) return opened;
  await opened.reader.cancel();
  throw first.error;
}

async function* withAhead(ahead: readonly unknown[], reader: StreamReader<unknown>): AsyncGenerator<unknown> {
  yield* ahead;
  yield* valuesOf(reader);
}
