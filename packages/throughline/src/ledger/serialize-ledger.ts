import { isRecord } from "../internal/json.ts";
import { EMPTY_LEDGER, type Ledger } from "./ledger.ts";
import { keepBounded } from "./ledger-limits.ts";
import { rankNames } from "./ledger-names.ts";
import { isLedger } from "./ledger-shape.ts";
import { tidyLines } from "./quoted/user-quotes.ts";
import { keepFiles } from "./reduce-files.ts";
import { keepWordsOf } from "./reduce-requests.ts";
import { keepStatements } from "./statements.ts";

/** Limits of a shortened ledger. The words of the user get most of the space. */
const SLIM = {
  requests: { count: 400, first: 8, characters: 64_000 },
  constraints: { count: 200, characters: 20_000 },
  files: 100,
  changes: 10,
  commands: 30,
  errors: 10,
  statements: { count: 200, characters: 24_000 },
  names: 400,
};

/**
 * Returns a smaller copy of a ledger, to send along with a summary if you have no store. The user's words are kept
 * first, then the most used names, and the newest files, commands, errors and decisions.
 *
 * @param ledger Ledger to shorten.
 * @param maxNames Maximum number of names. Default: 400.
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
    ...(ledger.changes === undefined ? {} : { changes: keepBounded(ledger.changes, SLIM.changes) }),
    commands: keepBounded(ledger.commands, SLIM.commands),
    errors: keepBounded(ledger.errors, SLIM.errors),
    statements: keepStatements(ledger, SLIM.statements).statements,
    names: ledger.names.map((bucket) => bucket.filter((name) => kept.has(name))),
  };
}

/**
 * Checks data from an untrusted place, such as a message, and returns it as a ledger.
 *
 * @param value Parsed JSON.
 * @returns the ledger, or `undefined` if `reduceLedger` could not have made it: wrong shape, size or form of a text.
 *
 * @example
 * const ledger = readLedger(JSON.parse(await readFile("ledger.json", "utf8"))) ?? EMPTY_LEDGER;
 */
export function readLedger(value: unknown): Ledger | undefined {
  const ledger = upgradeLedger(value);
  return isLedger(ledger) ? ledger : undefined;
}

/**
 * Upgrades a stored ledger of version 1: its decisions become statements, and its requests stay answered or open. Any
 * other value is returned unchanged.
 */
export function upgradeLedger(value: unknown): unknown {
  if (!isRecord(value) || value.version !== 1 || !Array.isArray(value.requests) || !Array.isArray(value.decisions)) {
    return value;
  }
  const { decisions, requests, ...rest } = value as unknown as Ledger & { decisions: readonly Decision[] };
  return {
    ...EMPTY_LEDGER,
    ...rest,
    version: 2,
    requests: requests.map((request) => ({ ...request, text: tidyLines(request.text), said: 0 })),
    statements: decisions.map(({ text, at }, order) => ({ text, at, order })),
  };
}

interface Decision {
  readonly text: string;
  readonly at: number;
}
