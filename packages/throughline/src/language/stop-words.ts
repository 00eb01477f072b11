import { wordSet } from "./word-lists.ts";

const AUXILIARIES = "be do have will would shall should can could may might must";
const PREPOSITIONS = `
  of to in on at by for from with about as into onto over under through across along around between among against during
  before after behind beside near inside outside above below within toward towards upon`;

/** Function words that search ignores. Search entries are stored without them, so a change here needs a migration. */
const STOP_WORDS = wordSet(`
  a about above after again against all also am an and any are as at be because been before being below between both but by
  can could did do does doing don down during each few for from further had has have having he her here hers herself him
  himself his how i if in into is it its itself just let ll me might more most must my myself no nor not now of off on once
  only or other our ours ourselves out over own per re s same shall she should so some such t than that the their theirs them
  themselves then there these they this those through to too under until up upon us ve very via was we were what when where
  which while who whom whose why will with would yes you your yours yourself yourselves
  isn aren wasn weren hasn haven hadn doesn didn won wouldn couldn shouldn cannot`);

/**
 * Words with little information about the subject of a text: rarer function words, vague nouns, interjections, weak
 * adverbs.
 */
const FILLERS = wordSet(`
  ${AUXILIARIES} ${PREPOSITIONS} ought till another either neither mine one ones
  although though since whereas however yet even still already really quite pretty rather much less least lot lots bit kind sort
  actually basically honestly definitely probably maybe perhaps certainly obviously absolutely totally completely simply especially
  yeah yep yup never nobody none nothing nowhere nope ok okay oh wow haha lol hmm well hi hello hey thanks thank please sorry
  anymore longer ever today currently recently lately ago always sometimes often usually
  thing things stuff something anything everything someone anyone everyone way like get go na gonna wanna wish
  several various many single whole kinda sorta whatever`);

const auxiliaries = wordSet(AUXILIARIES);

export interface StopWordOptions {
  /** Also counts fillers, such as "really", "thing" and "okay" (default: false). */
  readonly fillers?: boolean;
}

/**
 * True if a word, or base form, in lower case is a stop word, which is no evidence for the subject of an English text.
 *
 * @example
 * isStopWord("the"); // true
 * isStopWord("really"); // false
 * isStopWord("really", { fillers: true }); // true
 */
export function isStopWord(word: string, { fillers = false }: StopWordOptions = {}): boolean {
  return STOP_WORDS.has(word) || (fillers && FILLERS.has(word));
}

/**
 * True if a base form is an auxiliary verb.
 *
 * @example
 * isAuxiliary("can"); // true
 */
export function isAuxiliary(base: string): boolean {
  return auxiliaries.has(base);
}
