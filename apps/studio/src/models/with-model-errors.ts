import { wrapLanguageModel } from "ai";
import type { CurrentModel, LoadedModel } from "./chat-model.ts";
import { ModelError } from "./model-error.ts";

export interface ModelErrorOptions {
  /** Converts an error of a library into a message. `hasBegun`: part of the response had arrived. */
  readonly explain: (error: unknown, hasBegun: boolean) => ModelError;
  /** Maximum silence in milliseconds, before and within a response. Default: no limit. */
  readonly silenceMs?: number;
  /** Maximum duration in milliseconds of a response that is not streamed. */
  readonly wholeMs?: number;
  readonly silent?: (seconds: number, hasBegun: boolean) => ModelError;
  /** Aborted with a `ModelError` when the model is closed, because no answer can follow. */
  readonly disposed?: AbortSignal;
}

type StreamPart =
  Awaited<ReturnType<CurrentModel["doStream"]>>["stream"] extends ReadableStream<infer Part> ? Part : never;

/** Wraps a model: errors get messages for a person, and a closed model ends its requests. */
export function withModelErrors(model: LoadedModel, options: ModelErrorOptions): CurrentModel {
  return wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: "v4",
      wrapGenerate: async ({ model, params }) => {
        const watch = new Watch(options, params.abortSignal, options.wholeMs);
        try {
          return await watch.within(model.doGenerate({ ...params, abortSignal: watch.signal }));
        } finally {
          watch.end();
        }
      },
      wrapStream: async ({ model, params }) => {
        const watch = new Watch(options, params.abortSignal, options.silenceMs);
        const result = await watch.within(model.doStream({ ...params, abortSignal: watch.signal }));
        return { ...result, stream: watch.over(result.stream) };
      },
    },
  });
}

/** Monitors one response: silence, the person's stop and the end of the model all end it. */
class Watch {
  readonly #options: ModelErrorOptions;
  readonly #stopped: AbortSignal | undefined;
  readonly #timeout: number | undefined;
  readonly #request = new AbortController();
  readonly #over = Promise.withResolvers<never>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #hasBegun = false;

  constructor(options: ModelErrorOptions, stopped: AbortSignal | undefined, timeout: number | undefined) {
    this.#options = options;
    this.#stopped = stopped;
    this.#timeout = timeout;
    // May reject after the caller has left.
    this.#over.promise.catch(() => undefined);
    for (const signal of [stopped, options.disposed]) {
      if (signal?.aborted) this.#giveUp(signal.reason);
      signal?.addEventListener("abort", () => this.#giveUp(signal.reason), { signal: this.#request.signal });
    }
  }

  get signal(): AbortSignal {
    return this.#request.signal;
  }

  /** The result, or the reason that it will not come. */
  async within<T>(promised: PromiseLike<T>): Promise<T> {
    this.#startTimer();
    try {
      return await Promise.race([promised, this.#over.promise]);
    } catch (error) {
      const isStopped = this.#stopped?.aborted === true;
      this.end();
      throw isStopped || ModelError.isInstance(error) ? error : this.#options.explain(error, this.#hasBegun);
    } finally {
      clearTimeout(this.#timer);
    }
  }

  over(stream: ReadableStream<StreamPart>): ReadableStream<StreamPart> {
    const reader = stream.getReader();
    return new ReadableStream<StreamPart>({
      pull: async (controller) => {
        const { done, value } = await this.#next(reader);
        if (done) {
          this.end();
          return controller.close();
        }
        if (value.type === "text-delta") this.#hasBegun = true;
        controller.enqueue(value.type === "error" ? { type: "error", error: this.#inWords(value.error) } : value);
        if (this.#request.signal.aborted) controller.close();
      },
      cancel: async (reason) => {
        this.end();
        await reader.cancel(reason);
      },
    });
  }

  /** Stops everything that still runs for this response. */
  end(): void {
    clearTimeout(this.#timer);
    this.#request.abort();
  }

  /** A failure is a stream part: an aborted stream would lose text that was not read yet. */
  async #next(reader: ReadableStreamDefaultReader<StreamPart>): Promise<ReadableStreamReadResult<StreamPart>> {
    try {
      return await this.within(reader.read());
    } catch (error) {
      if (this.#stopped?.aborted) throw error;
      return { done: false, value: { type: "error", error } };
    }
  }

  #inWords(error: unknown): unknown {
    return ModelError.isInstance(error) ? error : this.#options.explain(error, this.#hasBegun);
  }

  #startTimer(): void {
    const { silent } = this.#options;
    const timeout = this.#timeout;
    if (timeout === undefined || silent === undefined) return;
    this.#timer = setTimeout(() => this.#giveUp(silent(Math.round(timeout / 1_000), this.#hasBegun)), timeout);
  }

  #giveUp(reason: unknown): void {
    this.#over.reject(reason);
    this.#request.abort(reason);
  }
}
