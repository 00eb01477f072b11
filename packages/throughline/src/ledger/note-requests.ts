import { findConstraints } from "./find-sentences.ts";
import { keepBounded } from "./keep-bounded.ts";
import type { Ledger } from "./ledger.ts";
import { oneLine } from "./one-line.ts";

const MAX_REQUESTS = 40;
const MAX_CONSTRAINTS = 40;
const KEPT_FROM_THE_START = 8;
const MAX_TASK = 4_000;
const MAX_REQUEST = 1_600;

/** Says yes to what was on, and asks for nothing of its own. */
const ASSENT =
  /^(yes|yep|yeah|y|ok|okay|sure|go|go ahead|go on|continue|proceed|do it|please do|sounds good|thanks|thank you|great|perfect|nice|lgtm)( please| thanks)?[.!]*$/i;

/** Takes down what the user said: a request, word for word, and the rules in it. */
export function noteSpeech(ledger: Ledger, speech: string, at: number): Ledger {
  const text = oneLine(speech, ledger.requests.length === 0 ? MAX_TASK : MAX_REQUEST);
  if (text === "") return ledger;
  const last = ledger.requests.at(-1);
  if (last !== undefined && ASSENT.test(text)) {
    return { ...ledger, requests: [...ledger.requests.slice(0, -1), { ...last, state: "open" }] };
  }
  const requests = keepBounded([...ledger.requests, { text, at, state: "open" as const }], MAX_REQUESTS, 1);
  const known = new Set(ledger.constraints.map((constraint) => constraint.text));
  const rules = [...new Set(findConstraints(speech))].filter((rule) => !known.has(rule));
  const added = [...ledger.constraints, ...rules.map((rule) => ({ text: rule, at }))];
  return { ...ledger, requests, constraints: keepBounded(added, MAX_CONSTRAINTS, KEPT_FROM_THE_START) };
}

/** A reply that ends the turn answers what was asked so far. */
export function noteAnswer(ledger: Ledger): Ledger {
  if (ledger.requests.every(({ state }) => state === "answered")) return ledger;
  return { ...ledger, requests: ledger.requests.map((request) => ({ ...request, state: "answered" })) };
}

/** What a person said, without the reminders that agents put inside it. */
export function withoutReminders(text: string): string {
  let rest = text;
  let kept = "";
  for (let start = rest.indexOf("<system-reminder>"); start >= 0; start = rest.indexOf("<system-reminder>")) {
    const end = rest.indexOf("</system-reminder>", start);
    kept += rest.slice(0, start);
    rest = end < 0 ? "" : rest.slice(end + "</system-reminder>".length);
  }
  return kept + rest;
}
