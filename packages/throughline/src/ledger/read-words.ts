import { EMPTY_LEDGER, type Ledger, type LedgerConstraint, type LedgerRequest } from "./ledger.ts";
import { isLedger } from "./ledger-shape.ts";

/** What begins an entry: the words of a user cannot, they are written with a backslash there. */
const ENTRY = /^- (Task, open|Task|Open|Answered):(?: |$)/;
const LEFT_OUT = /^- (\d{1,6}) more in the history$/;

/**
 * What the user said, read from a rendered ledger: for where the text is all that is left of one. Nothing where it is not
 * one that `renderLedger` could have written.
 *
 * @example
 * const { requests, constraints } = readWords(renderLedger(ledger, { budget: 2_000, count: countTokens }));
 */
export function readWords(rendered: string): Ledger {
  const requests = readSection(rendered, "Requests");
  const constraints = readSection(rendered, "Constraints");
  const words: Ledger = {
    ...EMPTY_LEDGER,
    messages: 1,
    requests: inOrder(readRequests(requests.lines)),
    constraints: constraints.lines.map((line): LedgerConstraint => ({ text: line.slice(2), at: 1 })).reverse(),
    letGo: { requests: requests.leftOut, constraints: constraints.leftOut },
  };
  return isLedger(words) ? words : EMPTY_LEDGER;
}

function readSection(rendered: string, title: string): { readonly lines: readonly string[]; readonly leftOut: number } {
  const heading = `### ${title}\n`;
  const section = rendered.split(/\n\n(?=### )/).find((one) => one.startsWith(heading));
  const lines = section?.slice(heading.length).split("\n") ?? [];
  const leftOut = Number(LEFT_OUT.exec(lines.at(-1) ?? "")?.[1] ?? 0);
  return { lines: leftOut > 0 ? lines.slice(0, -1) : lines, leftOut };
}

function readRequests(lines: readonly string[]): LedgerRequest[] {
  const entries: { words: string[]; state: LedgerRequest["state"] }[] = [];
  for (const line of lines) {
    const [start, label = ""] = ENTRY.exec(line) ?? [];
    if (start === undefined) entries.at(-1)?.words.push(line);
    else entries.push({ words: [line.slice(start.length)], state: /open$/i.test(label) ? "open" : "answered" });
  }
  // A block of code begins on a line of its own.
  return entries.map(({ words, state }) => ({ text: words.join("\n").replace(/^\n/, ""), at: 1, state }));
}

/** As they were said: the task first, then the others, of which the newest stand first in the text. */
function inOrder(requests: readonly LedgerRequest[]): LedgerRequest[] {
  return [...requests.slice(0, 1), ...requests.slice(1).reverse()];
}
