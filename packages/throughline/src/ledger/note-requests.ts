import { omitUndefined } from "../internal/json.ts";
import { findConstraints } from "./find-sentences.ts";
import { keepWords } from "./keep-bounded.ts";
import type { Ledger, LedgerConstraint, LedgerRequest } from "./ledger.ts";
import { LIMITS, type WordLimits } from "./ledger-limits.ts";
import { isTypeable, ownWords } from "./own-words.ts";

/** Says yes to what was on, and asks for nothing of its own. */
const ASSENT =
  /^(yes|yep|yeah|y|ok|okay|sure|go|go ahead|go on|continue|proceed|do it|please do|sounds good|thanks|thank you|great|perfect|nice|lgtm)( please| thanks)?[.!]*$/i;

/** Takes down what the user said in a part: a request, word for word, and the rules in the user's own words of it. */
export function noteSpeech(
  ledger: Ledger,
  { speech, own }: { readonly speech: string; readonly own: string },
  partId: string,
  at: number,
): Ledger {
  const part = isTypeable(partId) ? partId : undefined;
  const text = ownWords(speech, part);
  if (text === "") return ledger;
  const last = ledger.requests.at(-1);
  if (last !== undefined && ASSENT.test(text.trim())) {
    return { ...ledger, requests: [...ledger.requests.slice(0, -1), { ...last, state: "open" }] };
  }
  const request: LedgerRequest = omitUndefined({ text, at, state: "open", part });
  const known = new Set(ledger.constraints.map((constraint) => constraint.text));
  const rules = [...new Set(findConstraints(own))]
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
