import { readTerms } from "../../memory/recall/words/read-terms.ts";

/** What a message says of the memories that it needs. */
export interface Question {
  /** Words of the message by what stands for their stem. */
  readonly keywords: ReadonlyMap<number, { readonly word: string; readonly place: number }>;
  /** Why facts about the person belong to it; nothing where they do not. */
  readonly personal?: string;
}

/** Words that stand in so many facts that to share one says nothing. */
const COMMON = new Set(readTerms("user use prefer").map(({ hash }) => hash));

/** An `i` before an operator or a closing bracket is a variable. */
const FIRST_PERSON = wholeWord(
  String.raw`i(?!\s*[+=<>;)\]\[])|i['’](?:m|ve|d|ll)|me|my|mine|myself|we|we['’](?:re|ve|d|ll)|our|ours|ourselves`,
);
const SECOND_PERSON = wholeWord("you|you['’](?:re|ve|d|ll)|your|yours|yourself");
const PLACE = wholeWord(
  "where|where['’]s|here|near|nearby|nearest|located|location|based|live|city|country|local|locally|time ?zone",
);

/** A word of its own: not a piece of another, of a path (`I/O`) or of a compound (`local-first`). */
function wholeWord(words: string): RegExp {
  return new RegExp(String.raw`(?<![\p{L}\p{N}_/.'’-])(?:${words})(?![\p{L}\p{N}_/'’-])`, "iu");
}

/** Reads a message: its keywords, and whether it is about the person or about a place. */
export function readQuestion(message: string): Question {
  const keywords = new Map<number, { word: string; place: number }>();
  for (const { word, hash } of readTerms(message)) {
    if (!COMMON.has(hash)) keywords.set(hash, { word, place: keywords.get(hash)?.place ?? keywords.size });
  }
  const personal = whyPersonal(message);
  return { keywords, ...(personal !== undefined && { personal }) };
}

/** The words of the question that a fact has too, in the question's order. */
export function sharedKeywords({ keywords }: Question, fact: string): readonly string[] {
  const terms = new Set(readTerms(fact).map(({ hash }) => hash));
  const shared = [...terms].flatMap((hash) => keywords.get(hash) ?? []);
  return shared.sort((a, b) => a.place - b.place).map(({ word }) => word);
}

function whyPersonal(message: string): string | undefined {
  if (FIRST_PERSON.test(message)) return "about you, because you asked about yourself";
  if (PLACE.test(message)) return "about you, because you asked about a place";
  const [addressed] = SECOND_PERSON.exec(message) ?? [];
  return addressed === undefined ? undefined : `about you, because the message says '${addressed.toLowerCase()}'`;
}
