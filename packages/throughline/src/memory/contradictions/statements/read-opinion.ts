import type { Word } from "../../../language/parse-words.ts";
import { isStopWord } from "../../../language/stop-words.ts";
import { wordSet } from "../../../language/word-lists.ts";
import type { Subject } from "./read-subject.ts";
import type { Term } from "./read-terms.ts";
import type { Statement } from "./statement.ts";

/** What somebody likes or dislikes, or calls good or bad. */
export interface Opinion {
  readonly isGood: boolean;
  readonly of: readonly Term[];
  /** Whose it is: who calls a thing good says what he thinks himself. */
  readonly holder: Subject["person"];
}

const LIKING = wordSet(
  "love enjoy adore favorite appreciate cherish fan lover enthusiast interest fond keen passionate obsess excite",
);
const DISLIKING = wordSet("hate dislike despise loathe detest dread");
const GOOD = wordSet(
  "good great awesome amazing wonderful fantastic excellent lovely nice fun delicious tasty interesting exciting beautiful cool brilliant perfect popular cute talented incredible enjoyable useful helpful",
);
const BAD = wordSet(
  "bad terrible awful horrible boring disgusting gross overrated dull ugly stupid nasty creepy annoying lame useless pointless trash dumb unappealing",
);
const BEFORE_LIKE = wordSet(
  "i we they he she you not do does did also really still never always to kinda and who people",
);
const BEFORE_INTO = wordSet("am really not");
/** Words beside an opinion that do not say what it is of. */
const NO_TARGET = wordSet("have stand person people kind type big huge time myself sick");

/** The opinion of a statement, where it has one. */
export function readOpinion(statement: Statement): Opinion | undefined {
  const { words, terms, negation, subject } = statement;
  if (statement.isUnreal || statement.isUnsure || subject.person === "second") return undefined;
  const at = words.findIndex((_, index) => signAt(words, index, subject.length) !== 0);
  if (at < 0 || (isAdjective(words[at]) && !isPredicate(words, at))) return undefined;
  const of = terms.filter((term) => term.at !== at && isTarget(term));
  if (of.length === 0) return undefined;
  const isDenied = negation !== undefined && negation.from <= at + 1;
  const isGood = signAt(words, at, subject.length) > 0;
  // `Likes: tea` is said of the one whose memory it is.
  const isMine = at === 0 || isAdjective(words[at]);
  return { isGood: isGood !== isDenied, of, holder: isMine ? "first" : subject.person };
}

/** 1 for a word of liking, −1 for one of disliking, 0 for any other; `not` is left to the statement. */
function signAt(words: readonly Word[], at: number, subjectLength: number): number {
  const [before, word, after] = [words[at - 1]?.text ?? "", words[at], words[at + 1]?.text ?? ""];
  if (word === undefined) return 0;
  const { text, base } = word;
  if (LIKING.has(base) || GOOD.has(base)) return 1;
  if (DISLIKING.has(base) || BAD.has(base) || (text === "sick" && after === "of")) return -1;
  if (base === "like") return at === 0 || at === subjectLength || BEFORE_LIKE.has(before) ? 1 : 0;
  const isStood = before === "not" && (text === "stand" || text === "bear" || (base === "care" && after === "for"));
  return isStood || (text === "into" && BEFORE_INTO.has(before)) ? 1 : 0;
}

function isAdjective(word: Word | undefined): boolean {
  return word !== undefined && (GOOD.has(word.base) || BAD.has(word.base));
}

/** `is so boring`: said of the subject, not of what follows. */
function isPredicate(words: readonly Word[], at: number): boolean {
  const before = words
    .slice(0, at)
    .findLast(({ base }) => base === "be" || !(isStopWord(base, { fillers: true }) || base.endsWith("ly")));
  return before?.base === "be";
}

function isTarget({ base }: Term): boolean {
  const isOpinion = [LIKING, DISLIKING, GOOD, BAD].some((set) => set.has(base));
  return !isOpinion && !NO_TARGET.has(base);
}
