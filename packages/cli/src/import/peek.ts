import { untilAborted } from "../interruption.ts";

/** More than a file needs to say what it is. */
const ENOUGH = 4_096;

export interface Peeked {
  /** The beginning. */
  readonly head: Uint8Array;
  /** All of it. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** Looks at the beginning of something that can be read once. */
export async function peek(chunks: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<Peeked> {
  const source = chunks[Symbol.asyncIterator]();
  const rest = { [Symbol.asyncIterator]: () => source };
  const first: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of untilAborted(rest, signal)) {
    first.push(chunk);
    size += chunk.length;
    if (size >= ENOUGH) break;
  }
  return { head: Buffer.concat(first).subarray(0, ENOUGH), chunks: rejoin(first, rest) };
}

async function* rejoin(first: readonly Uint8Array[], rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* first;
  yield* rest;
}
