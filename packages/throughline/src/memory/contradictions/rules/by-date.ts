import { findDates } from "../../../language/dates.ts";
import { baseFormSet } from "../../../language/stem.ts";
import { align, shareSubject } from "../align.ts";
import type { Finding } from "../claim.ts";
import type { Term } from "../statements/read-terms.ts";
import type { Statement } from "../statements/statement.ts";
import { firstOfPairs } from "./rule.ts";

/** How far the rest must agree, in the worse and in the better direction. */
const LIMITS = { least: 0.5, most: 0.7 };
/** What happens to somebody once. */
const ONCE = baseFormSet("born graduate marry retire");

/** The same is said to be at another time. */
export function findDate(a: readonly Statement[], b: readonly Statement[]): Finding | undefined {
  return firstOfPairs(a.flatMap(readDated), b.flatMap(readDated), compare);
}

/** A day, a weekday, a year or a time of day, and the words that name it. */
interface SaidDate {
  readonly kind: string;
  readonly value: string;
  readonly from: number;
  readonly to: number;
}

/** The dates of a statement, by the indexes of their words. */
function readDates({ words }: Statement): readonly SaidDate[] {
  const starts: number[] = [];
  let said = "";
  for (const { text } of words) {
    starts.push(said.length);
    said += `${text} `;
  }
  return findDates(said).flatMap(({ kind, value, weekday, start, end }): readonly SaidDate[] => {
    const from = starts.findIndex((each) => each >= start);
    const behind = starts.findIndex((each) => each >= end);
    const place = { from, to: behind < 0 ? words.length : behind };
    if (kind === "relative" || kind === "month" || kind === "quarter") return [];
    return [
      { kind, value, ...place },
      ...(weekday === undefined ? [] : [{ kind: "weekday", value: weekday, ...place }]),
    ];
  });
}

/** A statement with its dates: they are read once, not for each pair. */
interface Dated {
  readonly statement: Statement;
  readonly dates: readonly SaidDate[];
}

function readDated(statement: Statement): readonly Dated[] {
  const dates = isOnce(statement) ? readDates(statement) : [];
  return dates.length === 0 ? [] : [{ statement, dates }];
}

function compare({ statement: a, dates: mine }: Dated, { statement: b, dates: yours }: Dated): Finding | undefined {
  if (a.isPast !== b.isPast || !shareSubject(a, b, false)) return undefined;
  const x = mine.find((date) => yours.some((other) => isOther(date, other, mine, yours)));
  const y = yours.find(({ kind }) => kind === x?.kind);
  if (x === undefined || y === undefined) return undefined;
  const { least, most } = align(beside(a, mine), beside(b, yours), false);
  if (least < LIMITS.least || most < LIMITS.most) return undefined;
  return { kind: "date", reason: `One says ${x.value}, the other ${y.value}.`, confidence: least };
}

/** A deadline has one date; what somebody does may be done again. */
function isOnce({ subject, terms, negation }: Statement): boolean {
  return negation === undefined && (subject.heads.length > 0 || terms.some(({ base }) => ONCE.has(base)));
}

function beside({ terms }: Statement, dates: readonly SaidDate[]): readonly Term[] {
  return terms.filter((term) => !dates.some(({ from, to }) => from <= term.at && term.at < to));
}

/** Where several dates of a kind are named, nobody knows which belongs to what. */
function isOther(x: SaidDate, y: SaidDate, mine: readonly SaidDate[], yours: readonly SaidDate[]): boolean {
  const isOnly = (all: readonly SaidDate[]) => all.filter(({ kind }) => kind === x.kind).length === 1;
  return x.kind === y.kind && x.value !== y.value && isOnly(mine) && isOnly(yours);
}
