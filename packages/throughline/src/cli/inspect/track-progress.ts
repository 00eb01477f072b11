import type { WriteStream } from "node:tty";

/** Below this a file is read before anybody could wonder. */
const WORTH_SHOWING = 32 * 1024 * 1024;

/** Says how far reading is: on a terminal one line that updates, else a line every ten percent. */
export async function* trackProgress(
  chunks: AsyncIterable<Uint8Array>,
  size: number | undefined,
  out: Pick<WriteStream, "write" | "isTTY">,
): AsyncGenerator<Uint8Array> {
  let read = 0;
  let told = 0;
  for await (const chunk of chunks) {
    read += chunk.length;
    // A packed file unpacks to more than its size.
    const percent = size === undefined ? 0 : Math.min(100, Math.floor((read / size) * 100));
    const step = out.isTTY ? 1 : 10;
    if (size !== undefined && size >= WORTH_SHOWING && percent >= told + step) {
      told = percent - (percent % step);
      out.write(out.isTTY ? `\rReading… ${told}%${told === 100 ? "\n" : ""}` : `Reading… ${told}%\n`);
    }
    yield chunk;
  }
}
