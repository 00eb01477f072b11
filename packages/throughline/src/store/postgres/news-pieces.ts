import { randomUUID } from "node:crypto";
import { InvalidOptionError } from "../../errors/invalid-option-error.ts";

// PostgreSQL sends fewer than 8000 bytes at once; the head of a piece takes some of them.
const PIECE = 7800;
const MAX_PIECES = 64;

/** News of something, as JSON. */
interface Heard {
  readonly topic: string;
  readonly text: string;
}

/**
 * What is sent for news, in order and in one transaction, which keeps the pieces together.
 *
 * @throws InvalidOptionError where the news are no small data.
 */
export function splitNews(topic: string, news: unknown): string[] {
  const text = toAscii(JSON.stringify(news ?? null));
  const count = Math.ceil(text.length / PIECE);
  if (count > MAX_PIECES) {
    throw new InvalidOptionError("news", `of ${text.length} bytes`, `at most ${PIECE * MAX_PIECES} bytes of JSON`);
  }
  const id = randomUUID();
  return Array.from({ length: count }, (_, i) => {
    const piece = text.slice(i * PIECE, (i + 1) * PIECE);
    return `${topic} ${id} ${i + 1}/${count} ${piece}`;
  });
}

const FORM = /^(?<topic>\S+) (?<id>\S+) (?<number>\d+)\/(?<count>\d+) (?<piece>.*)$/s;

/** Puts pieces together as they come in. What is not of our form, or begins in the middle, is passed over. */
export class NewsJoiner {
  #id: string | undefined;
  #pieces: string[] = [];

  /** The news whose last piece this is. */
  add(payload: string): Heard | undefined {
    const { topic, id, number, count, piece } = FORM.exec(payload)?.groups ?? {};
    if (topic === undefined || piece === undefined) return undefined;
    if (number === "1") {
      this.#id = id;
      this.#pieces = [];
    }
    const isNext = id === this.#id && Number(number) === this.#pieces.length + 1 && Number(count) <= MAX_PIECES;
    if (!isNext) return undefined;
    this.#pieces.push(piece);
    return number === count ? { topic, text: this.#pieces.join("") } : undefined;
  }
}

/** A character for each byte, whatever the database's encoding. */
function toAscii(json: string): string {
  return json.replaceAll(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
