/** A web stream, as far as it is used. */
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

/** A global of all streaming runtimes that the ES types lack. */
interface Runtime {
  readonly ReadableStream: new (source: PartSource, strategy: { readonly highWaterMark: number }) => PartStream;
}

/** Makes a pull-based stream without buffering. */
function streamOf(source: PartSource): PartStream {
  return new (globalThis as unknown as Runtime).ReadableStream(source, { highWaterMark: 0 });
}

/** End of a stream: complete, canceled, or with an error. */
export interface StreamEnd {
  readonly error?: unknown;
}

/** Passes a stream through and calls `ended` with its parts at the end. */
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

/** Streams these parts one by one, then the error, if any. Ends early if aborted. */
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
