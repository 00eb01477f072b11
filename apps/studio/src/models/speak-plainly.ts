import { wrapLanguageModel } from "ai";
import type { CurrentModel, LoadedModel } from "./chat-model.ts";
import { ModelError } from "./model-error.ts";

export interface Manners {
  /** Turns what a library throws into words. `hasBegun`: some of the answer was there already. */
  readonly explain: (error: unknown, hasBegun: boolean) => ModelError;
  /** So long it may be silent, before and within an answer; forever where nothing is said. */
  readonly silenceMs?: number;
  /** So long an answer may take that comes in one piece. */
  readonly wholeMs?: number;
  readonly silent?: (seconds: number, hasBegun: boolean) => ModelError;
  /** Aborted with a `ModelError` when the model is closed, because no answer can follow. */
  readonly gone?: AbortSignal;
}

type StreamPart =
  Awaited<ReturnType<CurrentModel["doStream"]>>["stream"] extends ReadableStream<infer Part> ? Part : never;

/** Wraps a model: errors get messages for a person, and a closed model ends its requests. */
export function speakPlainly(model: LoadedModel, manners: Manners): CurrentModel {
  return wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: "v4",
      wrapGenerate: async ({ model, params }) => {
        const watch = new Watch(manners, params.abortSignal, manners.wholeMs);
        try {
          return await watch.within(model.doGenerate({ ...params, abortSignal: watch.signal }));
        } finally {
          watch.end();
        }
      },
      wrapStream: async ({ model, params }) => {
        const watch = new Watch(manners, params.abortSignal, manners.silenceMs);
        const result = await watch.within(model.doStream({ ...params, abortSignal: watch.signal }));
        return { ...result, stream: watch.over(result.stream) };
      },
    },
  });
}

/** Watches over one answer: silence, the person's stop and the end of the model all end it. */
class Watch {
  readonly #manners: Manners;
  readonly #stopped: AbortSignal | undefined;
  readonly #patience: number | undefined;
  readonly #request = new AbortController();
  readonly #over = Promise.withResolvers<never>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #hasBegun = false;

  constructor(manners: Manners, stopped: AbortSignal | undefined, patience: number | undefined) {
    this.#manners = manners;
    this.#stopped = stopped;
    this.#patience = patience;
    // It may be rejected after the caller has left.
    this.#over.promise.catch(() => undefined);
    for (const signal of [stopped, manners.gone]) {
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
      throw isStopped || ModelError.isInstance(error) ? error : this.#manners.explain(error, this.#hasBegun);
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

  /** Whatever still runs for this answer is stopped. */
  end(): void {
    clearTimeout(this.#timer);
    this.#request.abort();
  }

  /** A failure is a part of its own: to break the stream would lose what was said and not yet read. */
  async #next(reader: ReadableStreamDefaultReader<StreamPart>): Promise<ReadableStreamReadResult<StreamPart>> {
    try {
      return await this.within(reader.read());
    } catch (error) {
      if (this.#stopped?.aborted) throw error;
      return { done: false, value: { type: "error", error } };
    }
  }

  #inWords(error: unknown): unknown {
    return ModelError.isInstance(error) ? error : this.#manners.explain(error, this.#hasBegun);
  }

  #startTimer(): void {
    const { silent } = this.#manners;
    const patience = this.#patience;
    if (patience === undefined || silent === undefined) return;
    this.#timer = setTimeout(() => this.#giveUp(silent(Math.round(patience / 1_000), this.#hasBegun)), patience);
  }

  #giveUp(reason: unknown): void {
    this.#over.reject(reason);
    this.#request.abort(reason);
  }
}
