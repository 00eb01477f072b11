import { stripInvisible } from "../../../internal/one-line.ts";
import { type Clause, PRONOUNS, splitClauses } from "../../../language/clauses.ts";
import type { Word } from "../../../language/parse-words.ts";
import { isAuxiliary, isStopWord } from "../../../language/stop-words.ts";
import { wordSet } from "../../../language/word-lists.ts";
import { type Polarity, readPolarity } from "./read-polarity.ts";
import { readSubject, type Subject } from "./read-subject.ts";
import { readTerms, type Term } from "./read-terms.ts";

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

/** Characters that are read of a text with its code, and of its prose: a claim is shorter, and a long memory is compared often. */
const MAX_TEXT_LENGTH = 8_000;
const MAX_PROSE_LENGTH = 2_000;
const CODE = /```[\s\S]*?(?:```|$)|~~~[\s\S]*?(?:~~~|$)/g;
const CALLS = wordSet("no yes yeah yep nope oh ok okay well sure sorry thanks wow hmm haha lol actually honestly");

/** The prose at the start of a text, without code and without invisible characters. */
export function readableText(text: string): string {
  return stripInvisible(text.slice(0, MAX_TEXT_LENGTH)).replace(CODE, "\n").slice(0, MAX_PROSE_LENGTH);
}

/** What a text says, clause by clause. What it says again adds nothing and is left out. */
export function readStatements(text: string): readonly Statement[] {
  const statements: Statement[] = [];
  const seen = new Set<string>();
  let last: Subject | undefined;
  for (const clause of splitClauses(readableText(text), { sharedSubjects: true })) {
    const words = withoutCalls(clause.words);
    const key = `${clause.before}|${clause.text}|${clause.isQuestion}`.toLowerCase();
    if (words.length === 0 || seen.has(key)) continue;
    seen.add(key);
    const statement = readStatement({ ...clause, words }, last);
    last = statement.subject;
    statements.push(statement, ...readBelongings(statement), ...readDiet(statement));
  }
  return statements;
}

/** `No, I am …` denies what was said before, not what follows. */
function withoutCalls(words: readonly Word[]): readonly Word[] {
  const [first, second] = words;
  if (first === undefined || !CALLS.has(first.text)) return words;
  if (second === undefined || second.isAfterComma || PRONOUNS.has(second.text) || CALLS.has(second.text)) {
    return withoutCalls(words.slice(1));
  }
  return words;
}

function readStatement({ words, sentence, sharesSubject, isQuestion }: Clause, before: Subject | undefined): Statement {
  const inherits = sharesSubject && before !== undefined;
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
    const end = behind.findIndex(({ base }) => isStopWord(base, { fillers: true }));
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
