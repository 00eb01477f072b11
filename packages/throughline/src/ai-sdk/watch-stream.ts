import type { StreamOf, StreamReader } from "./sdk-types.ts";

/** What every runtime of ours has and the language's own types do not name. */
const { ReadableStream } = globalThis as unknown as {
  ReadableStream: new <T>(source: StreamSource<T>, strategy: { highWaterMark: number }) => StreamOf<T>;
};

interface StreamSource<T> {
  pull(controller: { enqueue(value: T): void; close(): void }): Promise<void>;
  cancel(reason: unknown): Promise<void>;
}

/** A stream that asks for the next value only when somebody wants it. `stop`: ends the source, begun or not. */
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

/** The values of a stream. */
export async function* valuesOf<T>(reader: StreamReader<T>): AsyncGenerator<T, void, undefined> {
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value as T;
  }
}
