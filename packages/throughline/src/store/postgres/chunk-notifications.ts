import { randomUUID } from "node:crypto";
import { InvalidOptionError } from "../../errors/invalid-option-error.ts";

// PostgreSQL limits a notification to less than 8000 bytes, including our header.
const PIECE = 7800;
const MAX_PIECES = 64;

/** One received notification, as JSON. */
interface ReceivedNotification {
  readonly topic: string;
  readonly text: string;
}

/**
 * Splits a notification into chunks, to be sent in order in one transaction, which keeps them together.
 *
 * @throws InvalidOptionError if the notification is too large.
 */
export function splitNotification(topic: string, notification: unknown): string[] {
  const text = toAscii(JSON.stringify(notification ?? null));
  const count = Math.ceil(text.length / PIECE);
  if (count > MAX_PIECES) {
    throw new InvalidOptionError("notification", `${text.length} bytes`, `at most ${PIECE * MAX_PIECES} bytes of JSON`);
  }
  const id = randomUUID();
  return Array.from({ length: count }, (_, i) => {
    const piece = text.slice(i * PIECE, (i + 1) * PIECE);
    return `${topic} ${id} ${i + 1}/${count} ${piece}`;
  });
}

const FORM = /^(?<topic>\S+) (?<id>\S+) (?<number>\d+)\/(?<count>\d+) (?<piece>.*)$/s;

/** Joins received chunks. Ignores other payloads, and chunks whose beginning was missed. */
export class NotificationJoiner {
  #id: string | undefined;
  #pieces: string[] = [];

  /** Returns the notification if this was its last chunk. */
  add(payload: string): ReceivedNotification | undefined {
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

/** One byte per character, independent of the database encoding. */
function toAscii(json: string): string {
  return json.replaceAll(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
