import { wordSet } from "../../../language/word-lists.ts";
import { align, basesOf, coverage, shareSubject, withoutAlternatives } from "../align.ts";
import type { Finding } from "../claim.ts";
import { readOpinion } from "../statements/read-opinion.ts";
import type { Negation } from "../statements/read-polarity.ts";
import type { Term } from "../statements/read-terms.ts";
import type { Statement } from "../statements/statement.ts";
import { bySentence } from "./rule.ts";

/** The share of a denial that the other must say; who speaks of himself says it in more ways. */
const SHARE = { first: 0.65, second: 0.72, third: 0.69 };
/** So many words must be left where the other says all but the verb. */
const MIN_BESIDE_VERB = 3;
/** Two statements that share so many words, and so much of each, speak of one thing, however they put it. */
const SAME_THING = { shared: 4, least: 0.5 };
/** Verbs that say little without what follows them. */
const SAYS_LITTLE = wordSet("have know do get make think need take say tell see try mean");

type Denial = Statement & { readonly negation: Negation };

/** One text denies what the other says. */
export function findNegation(a: readonly Statement[], b: readonly Statement[]): Finding | undefined {
  return denies(a, b) ?? denies(b, a);
}

function denies(denying: readonly Statement[], saying: readonly Statement[]): Finding | undefined {
  const sentences = bySentence(saying);
  for (const statement of denying) {
    if (!isDenial(statement)) continue;
    for (const sentence of sentences) {
      const finding = isReal(statement) ? compareClosely(statement, sentence) : undefined;
      if (finding !== undefined) return finding;
    }
    const broad = saying.find((said) => isOfSameThing(statement, said));
    if (broad !== undefined) return describe(basesOf(statement.terms), SAME_THING.least);
  }
  return undefined;
}

/** Who does not like something is no witness of whether it is so. */
function isDenial(statement: Statement): statement is Denial {
  const { negation, isUnsure, isQuestion } = statement;
  return negation !== undefined && !isUnsure && !isQuestion && readOpinion(statement) === undefined;
}

function isReal({ isUnreal, isUnsure }: Statement): boolean {
  return !isUnreal && !isUnsure;
}

/** Whether one sentence says what is denied, word by word. */
function compareClosely(denial: Denial, sentence: readonly Statement[]): Finding | undefined {
  const { isWhole, to } = denial.negation;
  const { person } = denial.subject;
  const said = sentence.filter((statement) => statement.subject.person === person && isAffirmed(statement, denial));
  const pool = said.flatMap(({ terms }) => basesOf(terms));
  if (!isOfSame(denial, said, pool)) return undefined;
  const denied = denial.terms.filter(({ at }) => at < to);
  const verb = verbOf(denial, denied);
  if (verb === undefined) return undefined;
  const needed = withoutAlternatives(denial.words, denied, pool);
  const wanted = needed.includes(verb) ? needed : [verb, ...needed];
  if (wanted.every(({ base }) => SAYS_LITTLE.has(base))) return undefined;
  const { share, missing } = coverage(wanted, pool, isWhole);
  const isAllButVerb = missing.length === 1 && wanted.length >= MIN_BESIDE_VERB;
  if (missing.includes(verb) ? !isAllButVerb : share < SHARE[person]) return undefined;
  return describe(basesOf(wanted.filter((term) => !missing.includes(term))), share);
}

function describe(shared: readonly string[], confidence: number): Finding {
  return { kind: "negation", reason: `One denies what the other says (${shared.join(", ")}).`, confidence };
}

/** What was once so does not speak against a denial now, only against `never`. */
function isAffirmed(statement: Statement, { isPast, negation }: Denial): boolean {
  return statement.negation === undefined && isReal(statement) && (!statement.isPast || isPast || negation.isWhole);
}

/** What people want for themselves says nothing of how they are; what is wanted of a third thing stands against its denial. */
function isOfSameThing(denial: Denial, said: Statement): boolean {
  if (said.negation !== undefined || said.isUnsure || said.isQuestion || said.isPast !== denial.isPast) return false;
  const areThird = denial.subject.person === "third" && said.subject.person === "third";
  if (!areThird && (denial.subject.person !== said.subject.person || denial.isUnreal || said.isUnreal)) return false;
  const { least, shared } = align(denial.terms, said.terms, true);
  return least >= SAME_THING.least && shared >= SAME_THING.shared;
}

function isOfSame(denial: Denial, said: readonly Statement[], pool: readonly string[]): boolean {
  const { isWhole } = denial.negation;
  if (said.some((statement) => shareSubject(denial, statement, isWhole))) return true;
  const heads = denial.subject.heads.map((base) => ({ base, at: 0, weight: 1 }));
  return said.length > 0 && coverage(heads, pool, isWhole).share === 1;
}

/** The first word behind the denial that says what is denied. */
function verbOf({ negation, words }: Denial, wanted: readonly Term[]): Term | undefined {
  const behind = wanted.filter(({ at }) => at >= negation.from);
  const doing = behind.find(({ at }) => /(?:ing|ed)$/.test(words[at]?.text ?? ""));
  return (negation.isWhole ? doing : undefined) ?? behind.find(({ weight }) => weight === 1) ?? behind[0];
}
