/** A stream of the web, as far as it is used. */
export interface PartStream {
  getReader(): PartReader;
}

interface PartReader {
  read(): Promise<{ readonly done: boolean; readonly value?: unknown }>;
  cancel(reason?: unknown): Promise<void>;
}

interface PartSource {
  pull(controller: { enqueue(part: unknown): void; close(): void }): Promise<void>;
  cancel?(reason: unknown): Promise<void>;
}

/** What the language's own types do not name; every runtime that streams has it. */
interface Runtime {
  readonly ReadableStream: new (source: PartSource, strategy: { readonly highWaterMark: number }) => PartStream;
}

/** One part for each that is asked for, and none ahead. */
function streamOf(source: PartSource): PartStream {
  return new (globalThis as unknown as Runtime).ReadableStream(source, { highWaterMark: 0 });
}

/** How a stream ended: with all of its parts, by whoever read it, or with an error. */
export interface StreamEnd {
  readonly error?: unknown;
}

/** The same stream; `ended` is told of its parts when it is over. */
export function watchParts(stream: PartStream, ended: (parts: readonly unknown[], end: StreamEnd) => void): PartStream {
  const reader = stream.getReader();
  const parts: unknown[] = [];
  return streamOf({
    async pull(controller) {
      const next = await reader.read().catch((error: unknown) => {
        ended(parts, { error });
        throw error;
      });
      if (!next.done) {
        parts.push(next.value);
        controller.enqueue(next.value);
        return;
      }
      ended(parts, {});
      controller.close();
    },
    async cancel(reason) {
      ended(parts, {});
      await reader.cancel(reason);
    },
  });
}

/** A stream of these parts, one by one, and of the error behind them. It breaks off where it is aborted. */
export function playParts(parts: readonly unknown[], end: StreamEnd, signal: AbortSignal | undefined): PartStream {
  let at = 0;
  return streamOf({
    async pull(controller) {
      if (signal?.aborted) throw signal.reason;
      if (at < parts.length) {
        controller.enqueue(parts[at]);
        at += 1;
      } else if ("error" in end) throw end.error;
      else controller.close();
    },
  });
}
