import type { Ledger } from "./ledger.ts";
import { LedgerDraft } from "./ledger-draft.ts";
import { wordLines, wordTotals } from "./word-lines.ts";

/**
 * How many tokens all requests and constraints of a ledger take word for word: with as many in `words`, `renderLedger`
 * cuts none of them. Beyond `most` it counts no further, so that a long session costs no more than that.
 *
 * @example
 * const words = Math.min(2_000, wordsTokens(ledger, countTokens, 2_000));
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
