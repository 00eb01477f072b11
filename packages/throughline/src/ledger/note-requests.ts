import { omitUndefined } from "../internal/json.ts";
import { findConstraints } from "./find-rules.ts";
import { keepWords } from "./keep-bounded.ts";
import type { Ledger, LedgerConstraint, LedgerRequest } from "./ledger.ts";
import { LIMITS, type WordLimits } from "./ledger-limits.ts";
import { isTypeable, ownWords } from "./own-words.ts";

/** Says yes to what was on, and asks for nothing of its own. */
const ASSENT =
  /^(yes|yep|yeah|y|ok|okay|sure|go|go ahead|go on|(please |let['’]?s )?(continue|proceed|do it)|please do|sounds good|thanks|thank you|great|perfect|nice|lgtm)( please| thanks)?[.!]*$/i;
/** Asks for nothing. */
const GREETING = /^(hi|hello|hey|good (morning|afternoon|evening))( there| claude)?[.!]*$/i;

/** What a client writes into the conversation when the user stops the assistant. */
const INTERRUPTED = /^\[Request interrupted by user[^\]\n]{0,60}\]$/;

/** A text part of a message by the user. */
interface Speech {
  readonly speech: string;
  /** The user's own words in it, without quoted and pasted text. */
  readonly own: string;
  readonly part: string;
  readonly at: number;
  readonly time: number;
}

/** Notes what the user said in a part: a request, verbatim, and the rules in the user's own words. */
export function noteSpeech(ledger: Ledger, { speech, own, part: partId, at, time }: Speech): Ledger {
  const part = isTypeable(partId) ? partId : undefined;
  const text = ownWords(speech, part);
  if (text === "") return ledger;
  const last = ledger.requests.at(-1);
  if (INTERRUPTED.test(text.trim()))
    return last?.state === "open" ? withLast(ledger, { ...last, state: "stopped" }) : ledger;
  if (last !== undefined && ASSENT.test(text.trim())) return withLast(ledger, { ...last, state: "open" });
  if (last === undefined && GREETING.test(text.trim())) return ledger;
  const request: LedgerRequest = omitUndefined({
    text,
    at,
    time: time > 0 && Number.isInteger(time) ? time : undefined,
    state: "open" as const,
    part,
    said: 0,
  });
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

/** Notes that something was done for the last request. */
export function noteAction(ledger: Ledger): Ledger {
  const last = ledger.requests.at(-1);
  return last === undefined || last.acted === true ? ledger : withLast(ledger, { ...last, acted: true });
}

function withLast(ledger: Ledger, request: LedgerRequest): Ledger {
  return { ...ledger, requests: ledger.requests.with(-1, request) };
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

/** A reply that ends the turn answers what was asked so far, and finishes what was worked on. */
export function noteAnswer(ledger: Ledger): Ledger {
  if (ledger.requests.every(({ state }) => state !== "open")) return ledger;
  const requests = ledger.requests.map((request): LedgerRequest => {
    return request.state === "open" ? { ...request, state: request.acted === true ? "done" : "answered" } : request;
  });
  return { ...ledger, requests };
}
