import type { ShownMessage } from "./chat-state.ts";

/** Asks a model to continue an interrupted answer. Sent once and not stored. */
export const CONTINUE_PROMPT =
  "Your last answer broke off. Continue it from exactly where it stops. Write only the rest: no greeting, no repetition, no remark about the interruption.";

/** An answer joined with its continuation. */
export function continued(before: ShownMessage, added: ShownMessage): ShownMessage {
  const { problem: _, ...kept } = before;
  const text = joinContinued(before.text, added.text);
  return { ...kept, text, state: added.state, ...(added.problem !== undefined && { problem: added.problem }) };
}

/** Maximum length of repeated text, in characters. */
const MAX_OVERLAP = 200;
const MIN_OVERLAP = 4;

/** Joins an answer and its continuation. Repeated text is dropped, and words stay separated. */
function joinContinued(before: string, added: string): string {
  const rest = added.trimStart();
  for (let length = Math.min(MAX_OVERLAP, before.length, rest.length); length >= MIN_OVERLAP; length -= 1) {
    if (before.endsWith(rest.slice(0, length))) return before + rest.slice(length);
  }
  const isSpaced = before === "" || added === "" || /\s$/u.test(before) || /^[\s\p{P}]/u.test(added);
  return isSpaced ? before + added : `${before} ${added}`;
}
