import { isFunctionWord } from "../../language/stop-words.ts";
import { readWords, wordList } from "../../language/words.ts";
import { readStatement } from "./statement.ts";

/**
 * Kinds of attributes of people and of software, each with a few typical words. Two statements about the same kind may
 * clash without a common word: "I have no pets" and "My dog is ill".
 */
const KINDS: readonly (readonly string[])[] = `
  mother father parent sister brother son daughter child sibling grandmother uncle
  wife husband partner girlfriend boyfriend married single divorced wedding
  age born birth birthday old young
  live house apartment rent landlord city village neighbor
  travel trip abroad country visit flight holiday
  eat meal meat vegetarian cook fish vegetable
  drink coffee tea wine beer alcohol
  doctor hospital illness surgery allergy medicine pain
  sport gym run swim hike training
  dog cat pet
  job work employer boss company office career salary
  school university degree student study
  car drive bus train bicycle
  speak language english french
  money price cost budget pay
  day week month morning evening monday
  january summer date deadline year
  code programming language library framework
  data database table record file
  server cloud host cluster
  password login token user permission
  page screen button browser app
  request response api limit timeout
  release version deploy launch
  team colleague developer manager staff
  privacy law policy legal`
  .trim()
  .split("\n")
  .map(wordList);

/** Similarity at which a word begins to belong to a kind. */
const MIN_SIMILARITY = 0.3;
/** Rarity (−ln of the share of all text) of a word without weight, and of one with full weight. */
const COMMON = 5;
const RARE = 11;
const MIN_WEIGHT = 0.1;
/** Factors for two requirements, and for values of the same kind, such as two years. */
const BOTH_REQUIRED = 2;
const SAME_VALUE_KIND = 2;
/** In characters. Longer texts contain more than one statement. */
const MAX_LENGTH = 400;

const REQUIREMENT =
  /\b(?:must(?:n['’]t)?|shall|should(?:n['’]t)?|may|ha(?:ve|s) to|needs? to|requir(?:e|es|ed)|demands?|wants?|allowed|forbidden)\b/i;

/** Vectors of words, and their rarity in general text. See `Embedder`. */
export interface WordMeanings {
  embed(words: readonly string[]): Promise<readonly Float32Array[] | undefined>;
  rarity(word: string): number | undefined;
}

/**
 * Ranks known statements by the kind of attribute that they share with a new one, the closest first. Returns their
 * positions, without those of other kinds. The words need vectors of their own: vectors of whole texts are close only
 * if most of the words are.
 */
export async function rankByAttributeKind(
  fresh: string,
  known: readonly string[],
  { embed, rarity }: WordMeanings,
): Promise<readonly number[]> {
  const statements = [fresh, ...known].map((text) => text.slice(0, MAX_LENGTH));
  const words = statements.map(contentWords);
  const vocabulary = [...new Set([...KINDS.flat(), ...words.flat()])];
  const embedded = await embed(vocabulary);
  if (embedded === undefined) return [];
  const vectors = new Map(vocabulary.map((word, at) => [word, embedded[at] as Float32Array]));
  const kindsOf = new Map(vocabulary.map((word) => [word, weighKinds(word, vectors, rarity(word))]));
  const profiles = words.map((list) => {
    return KINDS.map((_, kind) => list.reduce((most, word) => Math.max(most, kindsOf.get(word)?.[kind] ?? 0), 0));
  });
  const [own = [], ...others] = profiles;
  const scores = others.map(
    (kinds, at) => cosine(own, kinds) * likeness(statements[0] ?? "", statements[at + 1] ?? ""),
  );
  const near = [...scores.entries()].filter(([, score]) => score > 0);
  return near.sort(([a, one], [b, other]) => other - one || a - b).map(([at]) => at);
}

function contentWords(text: string): readonly string[] {
  return readWords(text).filter((word) => !isFunctionWord(word) && !/^\d+$/.test(word));
}

/** Degree to which a word belongs to each kind; rare words count more. Unknown words belong to none. */
function weighKinds(
  word: string,
  vectors: ReadonlyMap<string, Float32Array>,
  rarity: number | undefined,
): readonly number[] {
  const own = vectors.get(word);
  if (own === undefined || rarity === undefined) return [];
  const weight = Math.min(1, Math.max(MIN_WEIGHT, (rarity - COMMON) / (RARE - COMMON)));
  return KINDS.map((typical) => {
    const similarity = Math.max(...typical.map((one) => cosine(own, vectors.get(one) ?? [])));
    return weight * Math.max(0, similarity - MIN_SIMILARITY);
  });
}

/** Similarity of two statements apart from their words. */
function likeness(a: string, b: string): number {
  const valueKinds = new Set<string>(readStatement(a).values.flatMap(({ kind }) => (kind === "count" ? [] : kind)));
  return (
    (REQUIREMENT.test(a) && REQUIREMENT.test(b) ? BOTH_REQUIRED : 1) *
    (readStatement(b).values.some(({ kind }) => valueKinds.has(kind)) ? SAME_VALUE_KIND : 1)
  );
}

function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let [product, left, right] = [0, 0, 0];
  for (let at = 0; at < a.length; at += 1) {
    const [x, y] = [a[at] as number, b[at] as number];
    product += x * y;
    left += x * x;
    right += y * y;
  }
  return product === 0 ? 0 : product / Math.sqrt(left * right);
}
