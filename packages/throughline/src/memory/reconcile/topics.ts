import { isFunctionWord } from "../../language/function-words.ts";
import { wordList } from "../../language/word-lists.ts";
import { readWords } from "../../language/words.ts";
import { readStatement } from "./statement.ts";

/**
 * Kinds of attributes of people and of software, each with a few typical words. Two statements about the same kind may
 * clash without a common word: "I'm an only child" and "My brother is a doctor".
 */
const KINDS: readonly (readonly string[])[] = [
  "mother father parent sister brother son daughter child sibling grandmother uncle",
  "wife husband partner girlfriend boyfriend married single divorced wedding",
  "age born birth birthday old young",
  "live house apartment rent landlord city village neighbor",
  "travel trip abroad country visit flight holiday",
  "eat meal meat vegetarian cook fish vegetable",
  "drink coffee tea wine beer alcohol",
  "doctor hospital illness surgery allergy medicine pain",
  "sport gym run swim hike training",
  "dog cat pet",
  "job work employer boss company office career salary",
  "school university degree student study",
  "car drive bus train bicycle",
  "speak language english french",
  "money price cost budget pay",
  "day week month morning evening monday",
  "january summer date deadline year",
  "code programming language library framework",
  "data database table record file",
  "server cloud host cluster",
  "password login token user permission",
  "page screen button browser app",
  "request response api limit timeout",
  "release version deploy launch",
  "team colleague developer manager staff",
  "privacy law policy legal",
].map(wordList);

/** Similarity at which a word begins to belong to a kind. */
const MIN_KIND_SIMILARITY = 0.3;
/** Rarity (−ln of the share of all text) of a word without weight, and of one with full weight. */
const COMMON = 5;
const RARE = 11;
const MIN_WEIGHT = 0.1;
/** Factor for statements about the same person. */
const SAME_PERSON = 1.5;
/** Factor for two requirements, which may exclude each other although they are about different things. */
const BOTH_REQUIRED = 2;
/** Factor for values of the same kind: two years, two prices. */
const SAME_VALUE_KIND = 2;
/** In characters. Longer texts contain more than one statement. */
const MAX_LENGTH = 400;
const MAX_WORDS = 40;

const FIRST_PERSON = /\b(?:i|i['’](?:m|ve|d|ll)|my|me|mine|myself)\b/i;
const FIRST_PLURAL = /\b(?:we|we['’](?:re|ve|d|ll)|our|ours|us)\b/i;
const REQUIREMENT =
  /\b(?:must(?:n['’]t)?|shall|should(?:n['’]t)?|may|ha(?:ve|s) to|needs? to|requir(?:e|es|ed)|demands?|wants?|allowed|forbidden)\b/i;

/** Vectors of words, and their rarity in general text. See `Embedder`. */
export interface WordMeanings {
  embed(words: readonly string[]): Promise<readonly Float32Array[] | undefined>;
  rarity(word: string): number | undefined;
}

/** A statement as a set of weighted word vectors. */
interface Topic {
  readonly words: readonly { readonly word: string; readonly weight: number; readonly vector: Float32Array }[];
  /** Degree to which it is about each kind of attribute. */
  readonly kinds: readonly number[];
  readonly person: string;
  readonly isRequirement: boolean;
  readonly valueKinds: readonly string[];
}

/**
 * Ranks known statements by topic: those about the same kind of attribute of the same person, alternating with those that
 * have words of similar meaning. Word vectors are needed, because vectors of whole texts are close only if most words are.
 *
 * @returns Positions in `known`, the closest first. Empty if most words of the statement have no vector.
 */
export async function rankByTopic(
  fresh: string,
  known: readonly string[],
  meanings: WordMeanings,
): Promise<readonly number[]> {
  const words = [fresh, ...known].map(topicWords);
  const [ownWords = []] = words;
  const vocabulary = [...new Set([...KINDS.flat(), ...words.flat()])];
  const embedded = await meanings.embed(vocabulary);
  const unknown = ownWords.filter((word) => meanings.rarity(word) === undefined);
  if (embedded === undefined || unknown.length > ownWords.length / 2) return [];
  const vectors = new Map(vocabulary.map((word, at) => [word, embedded[at] as Float32Array]));
  const read = topicReader(vectors, meanings);
  const own = read(fresh, ownWords);
  const scored = known.map((text, at) => {
    const topic = read(text, words[at + 1] ?? []);
    const factor =
      (topic.person === own.person ? SAME_PERSON : 1) *
      (topic.isRequirement && own.isRequirement ? BOTH_REQUIRED : 1) *
      (own.valueKinds.some((kind) => topic.valueKinds.includes(kind)) ? SAME_VALUE_KIND : 1);
    return { at, byKind: factor * cosine(own.kinds, topic.kinds), byWords: factor * wordSimilarity(own, topic) };
  });
  const byKind = scored.filter((one) => one.byKind > 0).sort((a, b) => b.byKind - a.byKind || a.at - b.at);
  const byWords = scored.toSorted((a, b) => b.byWords - a.byWords || a.at - b.at);
  return [...new Set(byWords.flatMap((one, rank) => [byKind[rank]?.at ?? one.at, one.at]))];
}

function topicWords(text: string): readonly string[] {
  const words = readWords(text.slice(0, MAX_LENGTH)).filter((word) => !isFunctionWord(word) && !/^\d+$/.test(word));
  return [...new Set(words)].slice(0, MAX_WORDS);
}

function personOf(text: string): string {
  return FIRST_PERSON.test(text) ? "I" : FIRST_PLURAL.test(text) ? "we" : "";
}

function topicReader(
  vectors: ReadonlyMap<string, Float32Array>,
  { rarity }: WordMeanings,
): (text: string, words: readonly string[]) => Topic {
  const kindsOf = new Map<string, readonly number[]>();
  const vectorOf = (word: string) => vectors.get(word) as Float32Array;
  const readKinds = (word: string): readonly number[] => {
    const read = kindsOf.get(word);
    if (read !== undefined) return read;
    const isKnown = rarity(word) !== undefined;
    const kinds = KINDS.map((typical) => {
      const similarity = isKnown ? Math.max(...typical.map((one) => dot(vectorOf(word), vectorOf(one)))) : 0;
      return Math.max(0, similarity - MIN_KIND_SIMILARITY) / (1 - MIN_KIND_SIMILARITY);
    });
    kindsOf.set(word, kinds);
    return kinds;
  };
  return (text, words) => {
    const said = text.slice(0, MAX_LENGTH);
    const weighed = words.map((word) => ({ word, weight: weightOf(rarity(word)), vector: vectorOf(word) }));
    const kinds = KINDS.map((_, kind) =>
      weighed.reduce((most, { word, weight }) => Math.max(most, weight * (readKinds(word)[kind] ?? 0)), 0),
    );
    const valueKinds = readStatement(text).values.flatMap(({ kind }) => (kind === "count" ? [] : kind));
    return { words: weighed, kinds, person: personOf(said), isRequirement: REQUIREMENT.test(said), valueKinds };
  };
}

/** Unknown words are names, which say much. */
function weightOf(rarity = Number.POSITIVE_INFINITY): number {
  return Math.min(1, Math.max(MIN_WEIGHT, (rarity - COMMON) / (RARE - COMMON)));
}

/** Mean similarity of each word to the closest word of the other statement, in both directions. */
function wordSimilarity(a: Topic, b: Topic): number {
  return (similarityOf(a, b) + similarityOf(b, a)) / 2;
}

function similarityOf(from: Topic, to: Topic): number {
  let sum = 0;
  let weights = 0;
  for (const { word, weight, vector } of from.words) {
    const closest = to.words.reduce((most, other) => {
      return Math.max(most, other.word === word ? 1 : dot(vector, other.vector));
    }, 0);
    sum += weight * closest ** 2;
    weights += weight;
  }
  return weights === 0 ? 0 : sum / weights;
}

function cosine(a: readonly number[], b: readonly number[]): number {
  const norm = Math.hypot(...a) * Math.hypot(...b);
  return norm === 0 ? 0 : a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0) / norm;
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += (a[at] as number) * (b[at] as number);
  return sum;
}
