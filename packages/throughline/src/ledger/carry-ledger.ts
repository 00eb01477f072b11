import { keepBounded } from "./keep-bounded.ts";
import type { Ledger } from "./ledger.ts";
import { isLedger } from "./ledger-shape.ts";
import { rankNames } from "./names.ts";
import { keepFiles } from "./note-files.ts";
import { keepWordsOf } from "./note-requests.ts";

/** What a ledger keeps when it travels: the words of the user first. */
const SLIM = {
  requests: { count: 400, first: 8, characters: 64_000 },
  constraints: { count: 200, first: 50, characters: 20_000 },
  files: 100,
  commands: 30,
  errors: 10,
  decisions: 20,
  names: 400,
};

/**
 * The same ledger, small enough to be carried along with a summary where there is no store: the highest ranked names,
 * and the newest of the rest.
 *
 * @example
 * const carried = JSON.stringify(slimLedger(ledger));
 * const restored = readLedger(JSON.parse(carried)) ?? EMPTY_LEDGER;
 */
export function slimLedger(ledger: Ledger, maxNames: number = SLIM.names): Ledger {
  const kept = new Set(rankNames(ledger).slice(0, maxNames));
  return {
    ...keepWordsOf(ledger, SLIM),
    files: keepFiles(ledger.files, SLIM.files),
    commands: keepBounded(ledger.commands, SLIM.commands),
    errors: keepBounded(ledger.errors, SLIM.errors),
    decisions: keepBounded(ledger.decisions, SLIM.decisions),
    names: ledger.names.map((bucket) => bucket.filter((name) => kept.has(name))),
  };
}

/**
 * A ledger that was stored where anybody could write; `undefined` where it is not one that `reduceLedger` could have
 * made, in its shape, its bounds and the form of its texts.
 */
export function readLedger(value: unknown): Ledger | undefined {
  return isLedger(value) ? value : undefined;
}
