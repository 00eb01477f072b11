import { wordSet } from "./words.ts";

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

/**
 * Articles, pronouns, prepositions, auxiliaries and the most common verbs, which are weak evidence for the subject of a
 * statement. English, German, Spanish, French, Portuguese, Chinese and Japanese; without accents.
 */
const FUNCTION_WORDS = wordSet(`
  use uses used using has have having want wants got getting says said tell told makes take takes keep keeps put come comes
  our your their his her its my mine user here there someone somebody new old currently
  der die das den dem des ein eine einen einem einer eines und oder aber mit von zu zum zur im in auf an am bei fur aus nach uber
  unter ist sind war waren bin bist wird werden wurde hat haben habe hatte ich du er sie es wir ihr uns mir mich dir dich ihm ihn
  mein meine meinen meinem meiner dein unser unsere unserem unseren sein seine ihre ihren nicht kein keine keinen auch noch nur
  schon sehr als wie dass wenn man benutze benutzen nutzen nutze verwenden verwende mehr jetzt
  el la los las un una unos unas y o pero con de del al a en por para sin sobre entre es son era fue soy eres somos esta estan
  estoy he ha han hay tengo tiene tenemos yo tu ella nosotros mi mis su sus nuestro nuestra nuestros lo le les se me te nos que
  como muy mas ya no si ahora usa usamos uso utilizamos
  le les un une des du et ou mais avec sans sur sous dans en au aux pour par est sont etait suis es sommes ai as avons ont ete je
  tu il elle on nous vous ils elles mon ma mes ton ta tes son sa ses notre nos votre leur ce cette ces ca qui que ne pas plus se me
  te y utilise utilisons tres maintenant j n d l c s m t qu
  o os um uma uns umas e ou mas com do da dos das no na nos nas em ao aos por para sem sobre sao foi sou somos esta estao tenho tem
  temos eu ele ela eles nossa nosso nossos minha meu minhas meus seu sua seus isso este esta que como muito mais ja nao agora usa
  usamos uso
  我 我们 你 他 她 它 他们 的 了 是 在 有 和 与 用 也 都 就 会 要 把 被 从 到 给 对 很 这 那 不 没 没有 现在 已经 的是 是在
  私 僕 俺 彼 彼女 私たち うち`);

/** Hiragana alone is a particle or an inflection. */
const PARTICLE = /^\p{sc=Hiragana}+$/u;

/**
 * True for a function word, in lower case and without accents, in seven languages. Function words are weak evidence for
 * the subject of a statement.
 *
 * @example
 * isFunctionWord("nuestro"); // true
 */
export function isFunctionWord(word: string): boolean {
  return isStopWord(word, { fillers: true }) || FUNCTION_WORDS.has(word) || PARTICLE.test(word);
}
