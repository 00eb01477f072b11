import { AT_LEAST_ZERO, checkOptions, FLAG } from "../../errors/check-options.ts";
import type { ExtractTurn } from "./extract-turn.ts";

/** Number of new messages after which facts are extracted. */
const EVERY = 5;

/**
 * Decides whether to extract facts now: after five new messages, or at the end of a session that has new messages.
 *
 * @param progress Number of messages since the last extraction. `ended` is true at the end of a session (default
 *   false).
 * @throws InvalidOptionError if an option is invalid or unknown.
 *
 * @example
 * shouldExtract({ messagesSince: 5 }); // true
 */
export function shouldExtract(progress: { messagesSince: number; ended?: boolean }): boolean {
  checkOptions("shouldExtract", progress, { messagesSince: AT_LEAST_ZERO, ended: FLAG });
  const { messagesSince, ended = false } = progress;
  return messagesSince >= EVERY || (ended && messagesSince > 0);
}

/**
 * Computes a fingerprint of messages from their ids, roles, speakers and texts. Use it to skip messages that were
 * already extracted. It is not a cryptographic hash.
 *
 * @param turns The messages. Their order matters.
 *
 * @example
 * segmentFingerprint([{ id: "m1", role: "user", text: "Hi" }]); // "1-9c4ceed9978f458e"
 */
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
