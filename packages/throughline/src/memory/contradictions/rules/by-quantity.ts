import { wordSet } from "../../../language/word-lists.ts";
import { align, says, shareSubject } from "../align.ts";
import type { Finding } from "../claim.ts";
import { type Quantity, readQuantities } from "../statements/read-quantities.ts";
import { readTerms, type Term } from "../statements/read-terms.ts";
import type { Statement } from "../statements/statement.ts";
import { bySentence } from "./rule.ts";

/** How far the words around two numbers must agree, and how far around they reach. */
const LIMITS = { least: 0.4, most: 0.5, shared: 2, sharedByOthers: 3, reach: 8 };
/** Of a table of numbers only the first are compared. */
const MOST = 40;
const PERIODS = wordSet(
  "second minute hour day week month year night weekend hourly daily weekly monthly yearly annually",
);

/** A quantity with the words around it. */
interface Measured {
  readonly quantity: Quantity;
  readonly context: readonly Term[];
  /** What says it. */
  readonly statement: Statement;
}

/** The same is counted or measured, and the numbers differ. */
export function findQuantity(a: readonly Statement[], b: readonly Statement[]): Finding | undefined {
  const left = measure(a).slice(0, MOST);
  const right = left.length === 0 ? [] : measure(b).slice(0, MOST);
  for (const mine of left) {
    if (isSaidIn(right, mine)) continue;
    for (const yours of right) {
      const finding = isSaidIn(left, yours) ? undefined : compare(mine, yours);
      if (finding !== undefined) return finding;
    }
  }
  return undefined;
}

/** Whether a text names the same quantity somewhere. */
function isSaidIn(all: readonly Measured[], { quantity }: Measured): boolean {
  return all.some((other) => sameUnit(other.quantity, quantity) && overlap(other.quantity, quantity));
}

function compare(a: Measured, b: Measured): Finding | undefined {
  if (!sameUnit(a.quantity, b.quantity) || numbersOf(a.statement) !== numbersOf(b.statement)) return undefined;
  if (a.statement.isPast !== b.statement.isPast) return undefined;
  if (periodsOf(a.context) !== periodsOf(b.context)) return undefined;
  const { least, most, shared } = align(a.context, b.context, false);
  // Without the same subject more must agree: my brother's children are not mine.
  const needed = shareSubject(a.statement, b.statement, false) ? LIMITS.shared : LIMITS.sharedByOthers;
  if (least < LIMITS.least || most < LIMITS.most || (shared < needed && least < 1)) return undefined;
  const { low, unit } = a.quantity;
  return { kind: "number", reason: `One says ${low}, the other ${b.quantity.low} (${unit}).`, confidence: most };
}

function measure(statements: readonly Statement[]): readonly Measured[] {
  return bySentence(statements).flatMap((sentence) => {
    const terms = readTerms(sentence.flatMap(({ words }) => words));
    let start = 0;
    return sentence.flatMap((statement): readonly Measured[] => {
      const from = start;
      start += statement.words.length;
      return quantitiesOf(statement).map((quantity) => {
        const context = terms.filter(({ at }) => Math.abs(at - from - quantity.at) <= LIMITS.reach);
        return { quantity, context, statement };
      });
    });
  });
}

/** `Two dogs run` counts the subject: another number of dogs may run as well. `There are two` does count. */
function quantitiesOf({ words, subject, negation }: Statement): readonly Quantity[] {
  if (negation !== undefined) return [];
  const from = subject.person !== "third" || words[0]?.text === "there" ? 0 : subject.length;
  return readQuantities(words).filter(({ at }) => at >= from);
}

/** The numbers in a subject: version 1 is not version 2. */
function numbersOf({ words, subject }: Statement): string {
  const numbers = words.slice(0, words[0]?.text === "there" ? 0 : subject.length).map(({ text }) => text);
  return numbers.filter((text) => /\d/.test(text)).join();
}

/** Five a day and thirty a week are no contradiction. */
function periodsOf(context: readonly Term[]): string {
  return context
    .flatMap(({ base }) => (PERIODS.has(base) ? base : []))
    .sort()
    .join();
}

function overlap(a: Quantity, b: Quantity): boolean {
  // Two lower bounds of the same thing are two rules, where there is one.
  if (a.high === Number.POSITIVE_INFINITY && b.high === Number.POSITIVE_INFINITY) return a.low === b.low;
  return a.low <= b.high && b.low <= a.high;
}

function sameUnit(a: Quantity, b: Quantity): boolean {
  return says(a.unit, b.unit, false);
}
