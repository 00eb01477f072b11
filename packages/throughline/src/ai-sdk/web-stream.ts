import type { StreamOf, StreamReader } from "./sdk-types.ts";

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
