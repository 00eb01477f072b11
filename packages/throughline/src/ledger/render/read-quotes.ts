import { oneLine } from "../../internal/text.ts";
import { splitSentences } from "../../language/sentences.ts";
import { EMPTY_LEDGER, type Ledger, type LedgerConstraint, type RequestState } from "../ledger.ts";
import { LIMITS } from "../ledger-limits.ts";
import { isLedger } from "../ledger-shape.ts";
import { REQUEST_TITLES, RULE_TITLES } from "./note-style.ts";
import { readRule } from "./render-quotes.ts";

/** Beginning of an entry. In words of the user it is escaped with a backslash. */
const ENTRY =
  /^- (?:Task|User|(?:Task, )?(open|done|answered|asked|stopped by the user)(?:, then corrected)?)(?: \([\d-]{10}\))?:(?: |$)/i;
/** Prefix of the sentences about the outcome of a request. */
const HAPPENED = "→ ";
const LEFT_OUT = /^- (\d{1,6}) more in the history$/;

/**
 * Reads the user's words from a rendered ledger, if only its text is available. Returns an empty ledger for text that
 * `renderLedger` could not have written.
 *
 * @example
 * const { requests, constraints } = readWords(renderLedger(ledger, { budget: 2_000, count: countTokens }));
 */
export function readWords(rendered: string): Ledger {
  const requests = readSection(rendered, REQUEST_TITLES);
  const rules = readSection(rendered, RULE_TITLES);
  const entries = readEntries(requests.lines);
  const read = toRequests(requests.isEarlier ? inOrder(entries) : entries);
  const words: Ledger = {
    ...EMPTY_LEDGER,
    messages: Math.max(1, read.requests.length, rules.lines.length),
    requests: read.requests,
    statements: read.statements,
    // The newest rule comes first.
    constraints: rules.lines
      .toReversed()
      .map((line, index): LedgerConstraint => ({ ...readRule(line), at: index + 1 })),
    letGo: { requests: requests.leftOut, constraints: rules.leftOut },
  };
  return isLedger(words) ? words : EMPTY_LEDGER;
}

interface Section {
  readonly lines: readonly string[];
  readonly leftOut: number;
  /** True for text of version 0.1, which has the newest requests first. */
  readonly isEarlier: boolean;
}

function readSection(rendered: string, titles: readonly string[]): Section {
  const sections = rendered.split(/\n\n(?=### )/);
  const section = sections.find((one) => titles.some((title) => one.startsWith(`### ${title}\n`)));
  const lines = section?.split("\n").slice(1) ?? [];
  const leftOut = Number(LEFT_OUT.exec(lines.at(-1) ?? "")?.[1] ?? 0);
  const isEarlier = section?.startsWith("### Requests\n") === true;
  return { lines: leftOut > 0 ? lines.slice(0, -1) : lines, leftOut, isEarlier };
}

interface Entry {
  readonly words: string[];
  readonly state: RequestState;
  readonly happened: string[];
}

function readEntries(lines: readonly string[]): readonly Entry[] {
  const entries: Entry[] = [];
  for (const line of lines) {
    const [start, label] = ENTRY.exec(line) ?? [];
    const entry = entries.at(-1);
    if (start !== undefined) entries.push({ words: [line.slice(start.length)], state: stateOf(label), happened: [] });
    else if (line.startsWith(HAPPENED)) entry?.happened.push(line.slice(HAPPENED.length));
    else entry?.words.push(line);
  }
  return entries;
}

function inOrder(entries: readonly Entry[]): readonly Entry[] {
  return [...entries.slice(0, 1), ...entries.slice(1).reverse()];
}

/** Requests in order, one message per request, and the sentences below them. */
function toRequests(entries: readonly Entry[]): Pick<Ledger, "requests" | "statements"> {
  return {
    // A block of code begins on its own line.
    requests: entries.map(({ words, state }, index) => {
      return { text: words.join("\n").replace(/^\n/, ""), at: index + 1, state, said: 0 };
    }),
    statements: entries.flatMap(({ happened }, index) =>
      happened.flatMap(splitStatements).map((text, order) => ({ text, at: index + 1, order })),
    ),
  };
}

function splitStatements(paragraph: string): readonly string[] {
  return splitSentences(paragraph).map(({ text }) => oneLine(text, LIMITS.sentence));
}

function stateOf(label = "answered"): RequestState {
  const word = label.toLowerCase();
  if (word.startsWith("stopped")) return "stopped";
  return word === "open" || word === "done" ? word : "answered";
}
