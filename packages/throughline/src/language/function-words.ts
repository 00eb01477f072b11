import { isStopWord } from "./stop-words.ts";
import { wordSet } from "./word-lists.ts";

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
