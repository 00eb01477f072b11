import { baseForm } from "../../../language/stem.ts";
import { isStopWord } from "../../../language/stop-words.ts";
import { wordSet } from "../../../language/word-lists.ts";

/** Words that are common in requests, in addition to stop words. */
const COMMON = wordSet(`
  back better bring came change check code come course different else every example feel file files find first fix
  found gave give given good great happen help idea instead issue issues keep know last line little look looking made
  make mean name need new next number open part people point problem put question remove right run said say see seem
  seems show side start sure take tell test tests think time tried try turn two understand update use used using want
  whether without work working works write wrong implement implementation add added adding create ensure following
  mostly long previous`);
const MIN_LENGTH = 3;
const MAX_READ = 6_000;

/**
 * Descriptive words of a text, in lower case and in order, including parts of identifiers (`getSession`, `user_id`).
 */
export function specificWordsOf(text: string): readonly string[] {
  const words = text
    .slice(0, MAX_READ)
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .match(/[\p{L}\d]+/gu);
  return (words ?? []).filter((word) => {
    return word.length >= MIN_LENGTH && ![word, baseForm(word)].some(isCommon) && !/^\d+$/.test(word);
  });
}

function isCommon(word: string): boolean {
  return COMMON.has(word) || isStopWord(word, { fillers: true });
}

/** Subject of a text: base forms of its descriptive words. */
export function subjectWords(text: string): ReadonlySet<string> {
  return new Set(specificWordsOf(text).map(baseForm));
}
