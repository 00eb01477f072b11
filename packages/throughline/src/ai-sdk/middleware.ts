import { IrreducibleContextError } from "../errors/irreducible-context-error.ts";
import { isRecord, omitUndefined } from "../internal/json.ts";
import type { ForeignModelMessage } from "../message/convert/ai-sdk.ts";
import { toRichWindow } from "../message/to-rich-window.ts";
import { recogniseOverflow } from "../overflow/recognise-overflow.ts";
import type { Session } from "../session/session.ts";
import type { PrepareOptions } from "../session/turn.ts";
import { countTokens } from "../tokens/count-tokens.ts";
import { AnswerCollector } from "./collect-answer.ts";
import { learnOverflow } from "./overflow-recovery.ts";
import { readAnswer } from "./read-answer.ts";
import { readPrompt } from "./read-prompt.ts";
import type { StreamOf, StreamReader, SystemMessage } from "./sdk-types.ts";
import { type SessionTracker, trackerOf } from "./session-tracker.ts";
import { splitSystem, systemText, withPrepared } from "./system-prompt.ts";
import { streamFrom, valuesOf } from "./watch-stream.ts";
import { writePrompt } from "./write-prompt.ts";

export type MiddlewareOptions = Pick<PrepareOptions, "memory" | "budget" | "maxBytes">;

/** A call of a model, specification 3 or 4, as far as it is used. */
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

/** What a window was made from: enough to make another one. */
interface Origin {
  readonly system: readonly SystemMessage[];
  readonly memory: PrepareOptions["memory"];
  readonly specification: string;
}

/** What a stream says before its first word. */
const PREAMBLE: readonly unknown[] = ["stream-start", "response-metadata", "raw"];

/** A middleware of the AI SDK, versions 6 and 7. */
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
 * For `wrapLanguageModel`, versions 6 and 7: each prompt becomes a window that fits, and each answer goes into the
 * session. Where the provider finds it too long all the same, the session learns its limit and the call is made once
 * more. Every call of the wrapped model belongs to the session.
 *
 * @example
 * const model = wrapLanguageModel({ model: openai("gpt-4o"), middleware: middleware(session) });
 */
export function middleware(session: Session, options: MiddlewareOptions = {}): SessionMiddleware {
  const calls = new SessionCalls(session, options);
  return {
    specificationVersion: "v3",
    transformParams: ({ params, model }) => calls.prepare(params, model.specificationVersion),
    async wrapGenerate({ doGenerate, params, model }) {
      const result = await calls.recover(doGenerate, params, (again) => model.doGenerate(again));
      await calls.takeIn(result.content, result.usage);
      return result;
    },
    async wrapStream({ doStream, params, model }) {
      const { result, ahead, reader } = await calls.recover(
        async () => refuseEarly(await openStream(doStream)),
        params,
        (again) => openStream(() => model.doStream(again)),
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
      // A step has prepared it already, memories included.
      this.#origins.set(params, { system, memory: undefined, specification });
      return params;
    }
    await this.#tracker.takeIn(list, "prompt");
    return this.#window(params, { system, memory: this.#options.memory, specification });
  }

  async #window<P extends CallParams>(params: P, origin: Origin): Promise<P> {
    const { system, memory, specification } = origin;
    const { memory: _, ...limits } = this.#options;
    const toolTokens = params.tools === undefined ? 0 : countTokens(JSON.stringify(params.tools));
    const asked = { ...limits, memory, toolTokens, signal: params.abortSignal, system: systemText(system) };
    const turn = await this.#session.prepare(omitUndefined(asked));
    this.#tracker.noteWindow(toRichWindow(turn.messages));
    const prompt = writePrompt(withPrepared(system, turn.system), turn.messages, specification);
    const made = { ...params, prompt };
    this.#origins.set(made, origin);
    return made;
  }

  /** Makes a call, and where it is refused as too long once more with a smaller window. */
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
    const overflow = recogniseOverflow(error);
    if (overflow !== undefined) await learnOverflow(this.#session, overflow);
    return overflow !== undefined;
  }

  /** The answer goes into the session, and the tokens of the prompt correct the counts to come. */
  async takeIn(content: readonly unknown[], usage: unknown): Promise<void> {
    const answer = readAnswer(content);
    if (answer !== undefined) await this.#tracker.takeInAnswer(answer);
    await this.#tracker.observe(usage);
  }

  /** The parts of a stream; the answer is taken in before its end is told. One that is cut off is nobody's answer. */
  async *record(ahead: readonly unknown[], reader: StreamReader<unknown>): AsyncGenerator<unknown, void, undefined> {
    const collector = new AnswerCollector();
    for await (const part of withAhead(ahead, reader)) {
      collector.take(part);
      if (isRecord(part) && part.type === "error") await this.#learn(part.error);
      if (collector.finish === part) await this.takeIn(collector.content, collector.finish?.usage);
      yield part;
    }
  }
}

interface OpenedStream<R> {
  readonly result: R;
  /** What was read to see how it begins. */
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

/** Some providers refuse in the stream instead of with a status. */
async function refuseEarly<R>(opened: OpenedStream<R>): Promise<OpenedStream<R>> {
  const first = opened.ahead.at(-1);
  if (!isRecord(first) || first.type !== "error" || recogniseOverflow(first.error) === undefined) return opened;
  await opened.reader.cancel();
  throw first.error;
}

async function* withAhead(ahead: readonly unknown[], reader: StreamReader<unknown>): AsyncGenerator<unknown> {
  yield* ahead;
  yield* valuesOf(reader);
}
