import { withoutAnyMore } from "../../language/change-markers.ts";
import { AUXILIARIES, DONE, KEPT_ADVERBS, LASTING, LIGHT_ADVERBS, MILESTONES } from "./lexicon/verbs.ts";

/** How something is said of oneself: "I am", "I was", "I have", "I play", "I moved", "I'm learning", … */
type StatementForm =
  | "is"
  | "was"
  | "has"
  | "does"
  | "doing"
  | "has-been"
  | "has-done"
  | "has-been-doing"
  | "did"
  | "used-to"
  | "can";

/** A clause in the first person, taken apart. */
export interface Statement {
  readonly form: StatementForm;
  /** The word that carries it, as it was said: `play`, `playing`, `moved`. */
  readonly verb: string;
  readonly negation: "" | "not" | "never" | "no longer";
  /** Adverbs that change what is said. */
  readonly adverbs: readonly string[];
  /** What follows, as it was said. */
  readonly rest: string;
}

interface Word {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

const CONTRACTED: Readonly<Record<string, string>> = {
  "i'm": "be",
  im: "be",
  "we're": "be",
  "i've": "have",
  ive: "have",
  "we've": "have",
};
const HELPERS: Readonly<Record<string, string>> = {
  am: "be",
  are: "be",
  was: "was",
  were: "was",
  have: "have",
  do: "do",
  can: "can",
};
const NEGATED: Readonly<Record<string, string>> = {
  "don't": "do",
  dont: "do",
  "can't": "can",
  cant: "can",
  cannot: "can",
  "haven't": "have",
  havent: "have",
  "wasn't": "was",
  "weren't": "was",
};

/** Walks over a clause word by word. */
class Reader {
  readonly clause: string;
  readonly words: readonly Word[];
  readonly adverbs: string[] = [];
  negation: Statement["negation"] = "";
  at = 0;

  constructor(clause: string) {
    this.clause = clause;
    this.words = [...clause.matchAll(/[\p{L}\p{N}][\p{L}\p{N}'_+#&/-]*/gu)].map(({ 0: word, index }) => ({
      word: word.toLowerCase(),
      start: index,
      end: index + word.length,
    }));
  }

  get word(): string {
    return this.words[this.at]?.word ?? "";
  }

  peek(offset: number): string {
    return this.words[this.at + offset]?.word ?? "";
  }

  /** Over adverbs and negations. */
  skipAdverbs(): void {
    for (; ; this.at += 1) {
      const { word } = this;
      if (word === "not" || word === "never") this.negation = word;
      else if (word === "no" && this.peek(1) === "longer") {
        this.negation = "no longer";
        this.at += 1;
      } else if (KEPT_ADVERBS.has(word)) this.adverbs.push(word);
      else if (!LIGHT_ADVERBS.has(word) || this.isHelper()) return;
    }
  }

  /** "do" is an adverb of emphasis before a verb and a helper before "not". */
  isHelper(): boolean {
    return this.word === "do" && this.peek(1) === "not";
  }

  /** The statement that the word here carries, with all that follows. */
  finish(form: StatementForm, takesWord = true): Statement | undefined {
    const here = this.words[this.at];
    const verb = takesWord ? this.word : "";
    if (takesWord && here === undefined) return undefined;
    const end = takesWord ? here?.end : this.words[this.at - 1]?.end;
    const rest = this.clause.slice(end ?? 0).trim();
    const hasEnded = this.negation === "not" && withoutAnyMore(rest) !== rest;
    const negation = hasEnded ? "no longer" : this.negation;
    return { form, verb, negation, adverbs: this.adverbs, rest: withoutAnyMore(rest) };
  }
}

/** Takes a clause apart that begins with "I" or "we"; `undefined` where it states nothing plainly. */
export function readStatement(clause: string): Statement | undefined {
  const reader = new Reader(clause);
  let helper = CONTRACTED[reader.word];
  if (helper === undefined && reader.word !== "i" && reader.word !== "we") return undefined;
  reader.at += 1;
  reader.skipAdverbs();
  if (helper === undefined) {
    const negated = NEGATED[reader.word];
    helper = negated ?? HELPERS[reader.word];
    if (negated !== undefined) reader.negation = "not";
    if (helper !== undefined) reader.at += 1;
    reader.skipAdverbs();
  }
  return readAfter(helper, reader);
}

function readAfter(helper: string | undefined, reader: Reader): Statement | undefined {
  switch (helper) {
    case "be":
      return LASTING.has(reader.word) ? reader.finish("doing") : reader.finish("is", false);
    case "was":
      return reader.finish("was", false);
    case "have":
      return readHave(reader);
    case "can":
      return reader.finish("can");
    default:
      if (reader.word === "used" && reader.peek(1) === "to") {
        reader.at += 2;
        return reader.finish("used-to");
      }
      return AUXILIARIES.has(reader.word) ? undefined : reader.finish(MILESTONES.has(reader.word) ? "did" : "does");
  }
}

function readHave(reader: Reader): Statement | undefined {
  const { word } = reader;
  if (word === "to" || (word === "got" && reader.peek(1) === "to")) return undefined;
  if (word === "got") {
    reader.at += 1;
    return reader.finish("has", false);
  }
  if (word !== "been") return DONE.has(word) ? reader.finish("has-done") : reader.finish("has", false);
  reader.at += 1;
  reader.skipAdverbs();
  return /[a-z]{2}ing$/.test(reader.word) ? reader.finish("has-been-doing") : reader.finish("has-been", false);
}
