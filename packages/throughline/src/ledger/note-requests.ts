import { omitUndefined } from "../message/read-json.ts";
import { findConstraints } from "./find-sentences.ts";
import { keepWords } from "./keep-bounded.ts";
import type { Ledger, LedgerConstraint, LedgerRequest } from "./ledger.ts";
import { LIMITS, type WordLimits } from "./ledger-limits.ts";
import { isTypeable, ownWords } from "./own-words.ts";

/** Says yes to what was on, and asks for nothing of its own. */
const ASSENT =
  /^(yes|yep|yeah|y|ok|okay|sure|go|go ahead|go on|continue|proceed|do it|please do|sounds good|thanks|thank you|great|perfect|nice|lgtm)( please| thanks)?[.!]*$/i;
const REMINDER = { start: "<system-reminder>", end: "</system-reminder>" };

/** Takes down what the user said in a part: a request, word for word, and the rules in it. */
export function noteSpeech(ledger: Ledger, speech: string, partId: string, at: number): Ledger {
  const part = isTypeable(partId) ? partId : undefined;
  const text = ownWords(speech, part);
  if (text === "") return ledger;
  const last = ledger.requests.at(-1);
  if (last !== undefined && ASSENT.test(text.trim())) {
    return { ...ledger, requests: [...ledger.requests.slice(0, -1), { ...last, state: "open" }] };
  }
  const request: LedgerRequest = omitUndefined({ text, at, state: "open", part });
  const known = new Set(ledger.constraints.map((constraint) => constraint.text));
  const rules = [...new Set(findConstraints(speech))]
    .filter((rule) => !known.has(rule))
    .map((rule): LedgerConstraint => omitUndefined({ text: rule, at, part }));
  return keepWordsOf({
    ...ledger,
    requests: [...ledger.requests, request],
    constraints: [...ledger.constraints, ...rules],
  });
}

/** The same ledger with no more of the user's words than `limits` allow; it counts those that it lets go. */
export function keepWordsOf(
  ledger: Ledger,
  limits: { readonly requests: WordLimits; readonly constraints: WordLimits } = LIMITS,
): Ledger {
  const requests = keepWords(ledger.requests, limits.requests);
  const constraints = keepWords(ledger.constraints, limits.constraints);
  const letGo = {
    requests: ledger.letGo.requests + ledger.requests.length - requests.length,
    constraints: ledger.letGo.constraints + ledger.constraints.length - constraints.length,
  };
  return { ...ledger, requests, constraints, letGo };
}

/** A reply that ends the turn answers what was asked so far. */
export function noteAnswer(ledger: Ledger): Ledger {
  if (ledger.requests.every(({ state }) => state === "answered")) return ledger;
  return { ...ledger, requests: ledger.requests.map((request) => ({ ...request, state: "answered" })) };
}

/** What a person said, without the reminders that agents put inside it. One that never ends is no reminder. */
export function withoutReminders(text: string): string {
  let kept = "";
  let from = 0;
  for (let start = text.indexOf(REMINDER.start); start >= 0; start = text.indexOf(REMINDER.start, from)) {
    const end = text.indexOf(REMINDER.end, start);
    if (end < 0) break;
    kept += text.slice(from, start);
    from = end + REMINDER.end.length;
  }
  return kept + text.slice(from);
}
