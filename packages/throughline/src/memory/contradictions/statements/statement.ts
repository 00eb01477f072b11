import { isAuxiliary, isEmpty } from "../words/stop-words.ts";
import { wordSet } from "../words/word-list.ts";
import { type Polarity, readPolarity } from "./read-polarity.ts";
import { readSubject, type Subject } from "./read-subject.ts";
import { readTerms, type Term } from "./read-terms.ts";
import { readWords, type Word } from "./read-words.ts";
import { type Clause, splitClauses } from "./split-clauses.ts";

/** One thing that a text says. */
export interface Statement extends Polarity {
  readonly words: readonly Word[];
  readonly terms: readonly Term[];
  readonly subject: Subject;
  readonly sentence: number;
  readonly isQuestion: boolean;
  /** Wished, asked, supposed: it says nothing of how things are. */
  readonly isUnreal: boolean;
  /** So it was, and need not be any more. */
  readonly isPast: boolean;
}

const UNREAL = wordSet(
  "wish hope want plan would could might may should will shall if unless suppose imagine consider wonder",
);
const BEFORE_MONTH = wordSet("in of by since until last next this early late mid");
const PAST = wordSet("was were did");
const ME: Subject = { person: "first", heads: [], length: 0 };

/** What a text says, clause by clause. */
export function readStatements(text: string): readonly Statement[] {
  const statements: Statement[] = [];
  let last: Subject | undefined;
  for (const clause of splitClauses(readWords(text))) {
    if (clause.words.length === 0) continue;
    const statement = readStatement(clause, last);
    last = statement.subject;
    statements.push(statement, ...readBelongings(statement), ...readDiet(statement));
  }
  return statements;
}

function readStatement({ words, sentence, goesOn, isQuestion }: Clause, before: Subject | undefined): Statement {
  const inherits = goesOn && before !== undefined;
  const subject = inherits ? { ...before, length: 0 } : readSubject(words);
  const heads = inherits ? subject.heads.map((base) => ({ base, at: -1, weight: 1 })) : [];
  const polarity = readPolarity(words);
  return {
    ...polarity,
    words,
    terms: [...heads, ...readTerms(words)],
    subject,
    sentence,
    isQuestion,
    isUnreal: isQuestion || isUnreal(words, polarity),
    isPast: words.some(({ text }, at) => PAST.has(text) || (text === "used" && isUsedTo(words, at))),
  };
}

/** `I would never …` and `I wish I had …` tell how things are all the same. */
function isUnreal(words: readonly Word[], { negation }: Polarity): boolean {
  if (negation !== undefined && words.some(({ text }) => text === "never" || text === "wish")) return false;
  return words.some(({ text, base }, at) => UNREAL.has(base) && !(text === "may" && isMonth(words, at)));
}

/** `in May`, `May 3`. */
function isMonth(words: readonly Word[], at: number): boolean {
  return BEFORE_MONTH.has(words[at - 1]?.text ?? "") || /^\d/.test(words[at + 1]?.text ?? "");
}

function isUsedTo(words: readonly Word[], at: number): boolean {
  return words[at + 1]?.text === "to" && !isAuxiliary(words[at - 1]?.base ?? "");
}

/** Who says `my dog` says that he has one. */
function readBelongings({ words, sentence, isQuestion, isUnreal }: Statement): readonly Statement[] {
  return words.flatMap(({ text }, at): readonly Statement[] => {
    if (text !== "my" && text !== "our") return [];
    const behind = words.slice(at + 1, at + 4);
    const end = behind.findIndex(({ base }) => isEmpty(base));
    const things = readTerms(end < 0 ? behind : behind.slice(0, end));
    if (things.length === 0) return [];
    const terms = [{ base: "have", at: -1, weight: 1 }, ...things];
    return [
      { words: [], terms, subject: ME, sentence, isQuestion, isUnreal, isPast: false, lacking: [], isUnsure: false },
    ];
  });
}

/** Who is a vegetarian eats no meat. */
function readDiet(statement: Statement): readonly Statement[] {
  const { terms, negation } = statement;
  if (negation !== undefined || !terms.some(({ base }) => base === "vegetarian" || base === "vegan")) return [];
  const denied = ["eat", "meat"].map((base) => ({ base, at: 0, weight: 1 }));
  return [{ ...statement, words: [], terms: denied, negation: { isWhole: true, from: 0, to: 1 } }];
}
