import type { ExtractTurn } from "./extract-turn.ts";

/** How many messages are read at a time. */
const EVERY = 5;

/**
 * Whether it is time to extract: after every five messages, and at the end of a session if anything came since.
 *
 * @example
 * shouldExtract({ messagesSince: 5 }); // true
 */
export function shouldExtract({ messagesSince, ended = false }: { messagesSince: number; ended?: boolean }): boolean {
  return messagesSince >= EVERY || (ended && messagesSince > 0);
}

/** A segment by what was said in it: two runs over the same messages have the same, and one of them is enough. */
export function segmentFingerprint(turns: readonly ExtractTurn[]): string {
  const text = JSON.stringify(turns.map(({ id, role, speaker = "", text }) => [id, role, speaker, text]));
  return `${turns.length}-${hash(text, 0x811c9dc5)}${hash(text, 0x9747b28c)}`;
}

/** FNV-1a with another start for each half. */
function hash(text: string, start: number): string {
  let value = start;
  for (let i = 0; i < text.length; i += 1) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return (value >>> 0).toString(16).padStart(8, "0");
}
