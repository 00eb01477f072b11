import type { Ledger, LedgerRequest } from "./ledger.ts";
import type { SectionTotals } from "./ledger-draft.ts";
import { type LedgerLine, ledgerLine } from "./ledger-line.ts";
import { cutWords, entryOf } from "./own-words.ts";

/** To how many characters a request may be cut: what is answered harder than what is open. */
const OPEN = [2_000, 1_000, 500, 250, 120];
const ANSWERED = [800, 400, 200, 100];
const CONSTRAINT = [120];

/** What the user said: the task, requests that are open, the others, the newest first, and so the constraints. */
export function wordLines({ requests, constraints }: Pick<Ledger, "requests" | "constraints">): readonly LedgerLine[] {
  const [task, ...others] = requests;
  const newest = others.toReversed();
  return [
    ...(task === undefined ? [] : [requestLine(task.state === "open" ? "Task, open" : "Task", task, OPEN)]),
    ...newest.filter(({ state }) => state === "open").map((request) => requestLine("Open", request, OPEN)),
    ...newest.filter(({ state }) => state === "answered").map((request) => requestLine("Answered", request, ANSWERED)),
    ...constraints
      .toReversed()
      .map(({ text, part }) =>
        ledgerLine("Constraints", [`- ${text}`, ...CONSTRAINT.map((max) => `- ${cutWords(text, max, part)}`)], true),
      ),
  ];
}

/** How many of what the user said there are in all, those that the ledger could not keep among them. */
export function wordTotals({ requests, constraints, letGo }: Ledger): SectionTotals {
  return {
    Requests: requests.length + letGo.requests,
    Constraints: constraints.length + letGo.constraints,
  };
}

function requestLine(label: string, { text, part, state }: LedgerRequest, lengths: readonly number[]): LedgerLine {
  const forms = [text, ...lengths.map((max) => cutWords(text, max, part))].map((words) => entryOf(label, words));
  return ledgerLine("Requests", forms, state === "open");
}
