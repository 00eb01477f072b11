import type { Ledger } from "../ledger.ts";
import { taskOf } from "../reduce-requests.ts";
import { correctedRequests } from "../rule-list.ts";
import { NoteDraft } from "./note-draft.ts";
import { noteStyle } from "./note-style.ts";
import { requestForms, ruleForms } from "./render-quotes.ts";

/** Longest date and label of a request, in tokens. */
const DATE = "0000-00-00";

/**
 * Returns the number of tokens that all requests and rules of a ledger take verbatim. Pass it to `renderLedger`
 * as `words` to keep all of them.
 *
 * @param ledger Ledger of the session.
 * @param count Counts the tokens of a text, such as `countTokens`.
 * @param most Upper bound: counting stops there, and the bound is returned. Default: none.
 *
 * @example
 * const words = wordsTokens(ledger, countTokens, 2_000);
 * const text = renderLedger(ledger, { budget: 4_000, count: countTokens, words });
 */
export function wordsTokens(
  ledger: Ledger,
  count: (text: string) => number,
  most: number = Number.POSITIVE_INFINITY,
): number {
  const draft = new NoteDraft(most, count, noteStyle("agent"));
  for (const rule of ledger.constraints.toReversed()) {
    if (draft.add({ section: "rules", text: ruleForms(rule)[0] ?? "" }) === 0) return most;
  }
  const corrected = correctedRequests(ledger);
  const task = taskOf(ledger.requests);
  for (const request of ledger.requests) {
    const date = request.time === undefined ? "" : DATE;
    const text =
      requestForms(request, { isTask: request === task, date, isCorrected: corrected.has(request) })[0] ?? "";
    if (draft.add({ section: "requests", request, text }) === 0) return most;
  }
  return draft.used;
}
