import type { Ledger } from "./ledger.ts";
import { LedgerDraft } from "./ledger-draft.ts";
import { wordLines, wordTotals } from "./word-lines.ts";

/**
 * Returns the number of tokens that all requests and constraints of a ledger take verbatim. Pass it to `renderLedger`
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
  const draft = new LedgerDraft(most, count, wordTotals(ledger));
  for (const line of wordLines(ledger)) {
    if (!draft.addLine(line, line.forms[0] ?? "")) return most;
  }
  draft.sayWhatIsLeftOut();
  return draft.used;
}
