import { memoizeByText } from "../../internal/memoize.ts";
import { type ChangePhrase, findChanges, statesNewState } from "../../language/change-phrases.ts";
import { isFunctionWord } from "../../language/stop-words.ts";
import { isUnspaced, readWords, wordList } from "../../language/words.ts";
import { termOf } from "../facts/normalize-fact.ts";
import { readValues, type Value } from "./read-values.ts";

/** A number, date or amount, with the word that it belongs to. */
export interface StatedValue extends Value {
  /** The unit, or else the word before: `port` for "port 8080". */
  readonly of: string | undefined;
}

/** Meaning of a short text, as far as rules can read it. */
export interface Statement {
  /** Content words, in order and in a normal form, without numbers and dates. */
  readonly terms: readonly string[];
  readonly values: readonly StatedValue[];
  readonly isNegated: boolean;
  /** True for a question, a guess, a plan or a wish. No conclusion follows from it. */
  readonly isOpen: boolean;
  /** Source of a report, and the words of the reported claim. */
  readonly report?: { readonly source: string; readonly terms: readonly string[] };
  readonly changes: readonly ChangePhrase[];
  readonly statesNewState: boolean;
}

/** Longer texts contain more than one statement, so they are compared by their words alone. */
const MAX_STATEMENT_LENGTH = 400;

const NUMBER_WORDS: ReadonlyMap<string, string> = new Map(
  [
    "one two three four five six seven eight nine ten eleven twelve",
    "eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
    "_ dos tres cuatro cinco seis siete ocho nueve diez once doce",
    "_ deux trois quatre cinq _ sept huit neuf dix onze douze",
    "_ dois três quatro _ _ sete oito nove dez _ doze",
  ].flatMap((line) => wordList(line).flatMap((word, at) => (word === "_" ? [] : [[word, `${at + 1}`] as const]))),
);
const NEGATION =
  /\b(?:not|never|none|nobody|nothing|without|cannot|neither|nor|nicht|kein(?:e[rnms]?)?|nie|niemals|ohne|nunca|jamás|sin|ningun[oa]?|ningún|pas|jamais|aucune?|sans|não|sem|nenhuma?)(?![\p{L}])|n['’]t\b|[不没沒无別别]|ない|ません|なかった|stop(?:ped)?\b|\bquit\b|\bgave up\b|\bno longer\b|\bany ?more\b/iu;
/** Verbs of ending. They negate without naming the negated action. */
const ENDS = /^(?:stop(?:ped)?|quit)$/;
/** "no" means "in the" in Portuguese. */
const NO = /\bno\b/i;
const PORTUGUESE = /[ãõç]|\b(?:em|uma?|os|é|do|da)\b/i;
const OPEN =
  /[?？]["')\]]*$|\b(?:if|unless|suppose|imagine|maybe|perhaps|might|would|could|should|wish|hope|want to|wants to|plan(?:ning)? to|going to|considering|thinking (?:of|about)|falls|wenn|vielleicht|würde|möchte|könnte|ojalá|quizás?|tal vez|quiero|podría|si|peut-être|voudrais|pourrait|talvez|quero|poderia)\b|(?:^|[,;:] )se\b|如果|也许|可能|想要|もし|たぶん|かもしれ|したい/iu;
const SAYS = `(?:says?|said|insists?|insisted|claims?|claimed|thinks?|believes?|swears?|told (?:me|us)|reckons?|states?|sagt|meint|behauptet|glaubt|dice|dijo|afirma|cree|insiste|dit|affirme|pense|croit|diz|disse|acha|acredita)(?: that| dass| que|,)?`;
const REPORTS: readonly RegExp[] = [
  new RegExp(`^(?<source>[^,.;:]{1,40}?) ${SAYS} (?<said>.+)$`, "isu"),
  /^(?:according to|per|laut|según|selon|d['’]après|segundo|de acordo com)(?: the| der| dem| el| la| le| o| a)? (?<source>[\p{L}\p{N}'’._-]+(?: \p{Lu}[\p{L}'’]*)?),? (?<said>.+)$/isu,
  /^(?<said>.+?),? (?:according to|per|laut|según|selon|segundo) (?<source>[^,.;]{1,40})[.!]?$/isu,
  /^(?<source>[^，。；]{1,12}?)(?:说|認為|认为|表示|坚持)(?<said>.+)$/su,
  /^(?<source>[^、。；]{1,12}?)(?:によると|は言って|によれば)(?<said>.+)$/su,
];

/** Parses a statement. Only the first 400 characters are read. */
export const readStatement: (text: string) => Statement = memoizeByText((text) => {
  const quoted = text.slice(0, MAX_STATEMENT_LENGTH).replaceAll("’", "'");
  const values = readStatedValues(withDigits(quoted));
  const report = readReport(quoted);
  return {
    terms: [...new Set(statementTerms(quoted))],
    values,
    isNegated: NEGATION.test(quoted) || (NO.test(quoted) && !PORTUGUESE.test(quoted)),
    isOpen: OPEN.test(quoted),
    changes: findChanges(quoted),
    statesNewState: statesNewState(quoted),
    ...(report !== undefined && { report }),
  };
});

/** The content words of a text, without numbers and dates. A number in a name stays: `step-3`. */
export function statementTerms(text: string): readonly string[] {
  return wordsOf(withoutValues(withDigits(text)))
    .filter((word) => !isFunctionWord(word) && !ENDS.test(word))
    .map((word) => (word === "user" ? word : termOf(word)));
}

function withDigits(text: string): string {
  return text.replace(/\p{L}+/gu, (word) => NUMBER_WORDS.get(word.toLowerCase()) ?? word);
}

function withoutValues(text: string): string {
  let plain = "";
  let from = 0;
  for (const { start, end } of readValues(text)) {
    plain += `${text.slice(from, start)} `;
    from = end;
  }
  return plain + text.slice(from);
}

let segmenter: Intl.Segmenter | undefined;

/** Words in lower case. Text in a script without spaces is segmented. */
function wordsOf(text: string): readonly string[] {
  return readWords(text).flatMap((word) => {
    if (!isUnspaced(word)) return [word];
    segmenter ??= new Intl.Segmenter("ja", { granularity: "word" });
    return [...segmenter.segment(word)].map(({ segment }) => segment);
  });
}

function readStatedValues(text: string): readonly StatedValue[] {
  return readValues(text).map((value) => {
    const before = wordsOf(text.slice(Math.max(0, value.start - 40), value.start)).findLast(
      (word) => !isFunctionWord(word),
    );
    return { ...value, of: value.unit ?? (before === undefined ? undefined : termOf(before)) };
  });
}

function readReport(text: string): Statement["report"] {
  for (const form of REPORTS) {
    const { source, said: quoted } = form.exec(text)?.groups ?? {};
    if (source !== undefined && quoted !== undefined) {
      return { source: wordsOf(source).join(" "), terms: [...new Set(statementTerms(quoted))] };
    }
  }
  return undefined;
}
