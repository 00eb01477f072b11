import { Readable } from "node:stream";
import { yieldToEventLoop } from "throughline/internal/util";

/** Characters of list items sent per chunk. */
const PIECE = 64 * 1024;

/**
 * A JSON response that is written in chunks: the lists of the object may be long or have long items, and other tasks
 * can run between the chunks.
 */
export function streamJson(value: object): Response {
  const body = Readable.toWeb(Readable.from(piecesOf(value), { objectMode: false })) as ReadableStream<Uint8Array>;
  return new Response(body, { headers: { "content-type": "application/json" } });
}

async function* piecesOf(value: object): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let text = "{";
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  for (const [at, [name, field]] of fields.entries()) {
    text += `${at === 0 ? "" : ","}${JSON.stringify(name)}:`;
    if (!Array.isArray(field)) {
      text += JSON.stringify(field);
      continue;
    }
    text += "[";
    for (const [index, item] of field.entries()) {
      text += `${index === 0 ? "" : ","}${JSON.stringify(item)}`;
      if (text.length < PIECE) continue;
      await yieldToEventLoop();
      yield encoder.encode(text);
      text = "";
    }
    text += "]";
  }
  yield encoder.encode(`${text}}`);
}
