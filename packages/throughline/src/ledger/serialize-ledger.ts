import { isRecord } from "../internal/json.ts";
import { isOneLine } from "../internal/text.ts";
import {
  EMPTY_LEDGER,
  type FileAction,
  keepBounded,
  type Ledger,
  type LedgerChange,
  type LedgerCommand,
  type LedgerConstraint,
  type LedgerError,
  type LedgerFile,
  type LedgerName,
  type LedgerOption,
  type LedgerOutlook,
  type LedgerRequest,
  type LedgerStatement,
  type LedgerTodo,
  LIMITS,
  type PendingCall,
  type PendingEffect,
  type PendingTouch,
} from "./ledger.ts";
import { BUCKETS, bucketOf, rankNames } from "./ledger-names.ts";
import { isTypeable, tidyLines } from "./quoted/user-quotes.ts";
import { MAX_PARTS } from "./read/read-shell.ts";
import { keepFiles } from "./reduce-outcome.ts";
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
 * Upgrades a stored ledger. `letGo` is the earlier name of `droppedCounts`. In version 1, decisions become statements,
 * and requests stay answered or open. Any other value is returned unchanged.
 */
export function upgradeLedger(stored: unknown): unknown {
  if (!isRecord(stored)) return stored;
  const { letGo, ...named } = stored;
  const value = letGo === undefined || "droppedCounts" in named ? stored : { ...named, droppedCounts: letGo };
  if (value.version !== 1 || !Array.isArray(value.requests) || !Array.isArray(value.decisions)) return value;
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

type Check = (value: unknown) => boolean;

/** Larger than any session, and small enough for exact numbers. */
const MOST = 1e12;
/** Characters that a cut text may exceed its limit by, for the note and the handle. */
const NOTE = LIMITS.partId + 40;
/** Options have a number from 1 to 9 or a letter from A to D. */
const MAX_OPTIONS = 13;
const NAME = /^[\w./:?=&%#@~+,;!$\\\u00c0-\u024f-]+$/;

const natural: Check = (value) => Number.isInteger(value) && amount(value);
const amount: Check = (value) => typeof value === "number" && value >= 0 && value <= MOST;
const flag: Check = (value) => typeof value === "boolean";
const oneOf = (...words: readonly string[]): Check => {
  return (value) => typeof value === "string" && words.includes(value);
};
const text = (max: number, isFine: (value: string) => boolean = () => true): Check => {
  return (value) => typeof value === "string" && value.length <= max && isFine(value);
};
const line = (max: number): Check => text(max, isOneLine);
const maybe = (check: Check): Check => {
  return (value) => value === undefined || check(value);
};
const listOf = (max: number, check: Check): Check => {
  return (value) => Array.isArray(value) && value.length <= max && value.every(check);
};
/** An object with exactly these fields. */
const shape = <T>(fields: { readonly [K in keyof T]-?: Check }): Check => {
  const checks = Object.entries<Check>(fields);
  return (value) =>
    isRecord(value) &&
    Object.keys(value).every((name) => Object.hasOwn(fields, name)) &&
    checks.every(([name, check]) => check(Object.hasOwn(value, name) ? value[name] : undefined));
};

const partId = maybe(text(LIMITS.partId, isTypeable));
const action = oneOf("read", "edited", "written", "created", "deleted", "renamed");

const request = shape<LedgerRequest>({
  text: text(LIMITS.request + NOTE, (words) => tidyLines(words) === words),
  part: partId,
  at: natural,
  time: maybe(natural),
  state: oneOf("open", "done", "answered", "stopped"),
  work: maybe(oneOf("ran", "changed")),
  said: natural,
});
const constraint = shape<LedgerConstraint>({
  text: line(LIMITS.rule + NOTE),
  part: partId,
  at: natural,
  kind: maybe(oneOf("correction")),
  wasDone: maybe(flag),
  refused: maybe(text(LIMITS.refused, (value) => isOneLine(value) && !value.includes("`"))),
  times: maybe(natural),
  behind: maybe(natural),
});
const statement = shape<LedgerStatement>({ text: line(LIMITS.sentence), at: natural, order: natural });
const outlook = shape<LedgerOutlook>({ kind: oneOf("next", "question"), text: line(LIMITS.sentence), at: natural });
const file = shape<LedgerFile>({
  id: natural,
  path: line(LIMITS.path),
  actions: shape<Record<FileAction, number>>({
    read: maybe(natural),
    edited: maybe(natural),
    written: maybe(natural),
    created: maybe(natural),
    deleted: maybe(natural),
    renamed: maybe(natural),
  }),
  last: action,
  at: natural,
  to: maybe(line(LIMITS.path)),
});
const change = shape<LedgerChange>({
  file: natural,
  lines: listOf(LIMITS.changedLines, line(LIMITS.changedLine)),
  at: natural,
});
const command = shape<LedgerCommand>({
  text: line(LIMITS.command),
  gist: text(LIMITS.gist),
  runs: natural,
  outcome: oneOf("running", "ok", "failed", "refused"),
  exitCode: maybe((value) => Number.isInteger(value) && amount(Math.abs(value as number))),
  tests: maybe(flag),
  says: maybe(line(LIMITS.says)),
  at: natural,
});
const error = shape<LedgerError>({
  text: line(LIMITS.says),
  source: line(LIMITS.command),
  gist: text(LIMITS.path),
  at: natural,
  resolved: maybe(line(LIMITS.resolved)),
});
const option = shape<LedgerOption>({ label: text(1), text: line(LIMITS.sentence) });
const todo = shape<LedgerTodo>({
  id: maybe(text(LIMITS.todoId)),
  text: line(LIMITS.todo),
  status: oneOf("pending", "in_progress", "completed"),
  list: oneOf("tool", "tasks", "text"),
  at: natural,
});
const name = shape<LedgerName>({
  text: text(LIMITS.name, (value) => NAME.test(value)),
  seen: natural,
  heat: (value) => listOf(3, amount)(value) && (value as readonly number[]).length === 3,
  file: maybe(natural),
});
const touch = shape<PendingTouch>({
  id: natural,
  path: line(LIMITS.path),
  action,
  to: maybe(line(LIMITS.path)),
});
const effect = shape<PendingEffect>({
  at: natural,
  touches: listOf(LIMITS.touches, touch),
  command: maybe(line(LIMITS.command)),
  isAllOrNothing: maybe(flag),
  isChange: maybe(flag),
  lines: maybe(listOf(LIMITS.changedLines, line(LIMITS.changedLine))),
});
const pending = shape<PendingCall>({
  id: text(LIMITS.callId),
  gist: maybe(text(LIMITS.gist)),
  file: maybe(natural),
  tests: maybe(flag),
  tool: maybe(text(LIMITS.toolName)),
  approval: maybe(text(LIMITS.callId)),
  parts: maybe(listOf(MAX_PARTS, text(LIMITS.gist))),
  effect: maybe(effect),
  refused: maybe(flag),
});
const ledger = shape<Ledger>({
  version: (value) => value === 2,
  messages: natural,
  clock: natural,
  nextFile: natural,
  requests: listOf(LIMITS.requests.count, request),
  constraints: listOf(LIMITS.constraints.count, constraint),
  droppedCounts: shape<Ledger["droppedCounts"]>({ requests: natural, constraints: natural }),
  files: listOf(LIMITS.files, file),
  changes: maybe(listOf(LIMITS.changes, change)),
  commands: listOf(LIMITS.commands, command),
  errors: listOf(LIMITS.errors, error),
  statements: listOf(LIMITS.statements.count, statement),
  outlook: maybe(outlook),
  options: maybe(listOf(MAX_OPTIONS, option)),
  todos: listOf(LIMITS.todos, todo),
  names: listOf(BUCKETS, listOf(LIMITS.names, name)),
  pending: listOf(LIMITS.pending, pending),
});

/** True if a JSON value is a ledger within its limits, with each text in normal form. */
export function isLedger(value: unknown): value is Ledger {
  return ledger(value) && hasSoundNames(value as Ledger) && isWithin(value as Ledger);
}

/** Each name is in its bucket, and none is from the future. */
function hasSoundNames({ names, clock }: Ledger): boolean {
  if (names.length !== 0 && names.length !== BUCKETS) return false;
  const size = names.reduce((sum, bucket) => sum + bucket.length, 0);
  return (
    size <= LIMITS.names &&
    names.every((bucket, index) => bucket.every(({ text, seen }) => seen <= clock && bucketOf(text) === index))
  );
}

function isWithin({ requests, constraints, statements }: Ledger): boolean {
  const lengthOf = (list: readonly { readonly text: string }[]) => list.reduce((sum, one) => sum + one.text.length, 0);
  return (
    lengthOf(requests) <= LIMITS.requests.characters &&
    lengthOf(constraints) <= LIMITS.constraints.characters &&
    lengthOf(statements) <= LIMITS.statements.characters
  );
}
