import type { Word } from "../../../language/parse-words.ts";
import { isAuxiliary, isStopWord } from "../../../language/stop-words.ts";
import { wordSet } from "../../../language/word-lists.ts";

/** That and how a clause denies. */
export interface Negation {
  /** Nobody, no thing, never: it denies every case, not only the one that is spoken of. */
  readonly isWhole: boolean;
  /** The words that say what is denied, the subject aside: from here up to there. */
  readonly from: number;
  readonly to: number;
}

/** What a clause has to say about whether things are so. */
export interface Polarity {
  readonly negation?: Negation;
  /** What is said to be lacking, while the rest holds: `a man without a hat`. */
  readonly lacking: readonly string[];
  /** The speaker does not know, or means only a part: nothing follows. */
  readonly isUnsure: boolean;
}

const PARTLY = wordSet(
  "only just sure certain necessarily entirely always fully completely totally exactly all everyone everybody every until unless enough too",
);
const NOBODY = wordSet("nobody none nothing neither");
const KNOWING = wordSet("know understand remember care mind recall matter");
const THINKING = wordSet("think believe feel say expect suppose");
const ASKED = wordSet("if whether how why what where who when which about that");
const WISHED = wordSet("had could was were knew");
/** Verbs that deny the one behind them. */
const DENYING = wordSet("fail stop quit refuse avoid cease");

/** One word of a clause that denies something, and how. */
type Cue =
  | { readonly kind: "unsure" }
  | { readonly kind: "lacks"; readonly what: readonly string[] }
  | { readonly kind: "denies"; readonly from: number; readonly isWhole: boolean };

/** What a clause denies; a denial of a denial affirms. */
export function readPolarity(words: readonly Word[]): Polarity {
  const cues = words.flatMap((_, at) => readCue(words, at) ?? []);
  const lacking = cues.flatMap((cue) => (cue.kind === "lacks" ? cue.what : []));
  const isUnsure = cues.some(({ kind }) => kind === "unsure");
  const denials = cues.filter((cue) => cue.kind === "denies");
  const [first] = denials;
  if (first === undefined || denials.length % 2 === 0) return { lacking, isUnsure };
  const { from } = first;
  return {
    negation: { isWhole: denials.some(({ isWhole }) => isWhole), from, to: endOf(words, from) },
    lacking,
    isUnsure,
  };
}

function readCue(words: readonly Word[], at: number): Cue | undefined {
  const [word, next] = words.slice(at, at + 2);
  if (word === undefined) return undefined;
  const { text, base } = word;
  if (text === "not" || text === "never") return readNot(words, at);
  if (NOBODY.has(text)) return { kind: "denies", from: at + 1, isWhole: true };
  if (text === "no" && next !== undefined) return readNo(words, at, next);
  if (text === "without") return { kind: "lacks", what: thingAt(words, at + 1) };
  if (base.length > 6 && base.endsWith("less")) return { kind: "lacks", what: [base.slice(0, -4)] };
  if (text === "wish" && WISHED.has(words[at + 2]?.text ?? "")) return { kind: "denies", from: at + 2, isWhole: false };
  const isVerbal = next !== undefined && (next.text === "to" || next.text.endsWith("ing"));
  return DENYING.has(base) && isVerbal ? { kind: "denies", from: at + 1, isWhole: false } : undefined;
}

function readNot(words: readonly Word[], at: number): Cue {
  const [before, word, next, after] = [words[at - 1], words[at], words[at + 1], words[at + 2]];
  const isHalf = next === undefined || PARTLY.has(next.text) || before?.text === "or" || before?.text === "if";
  if (isHalf || (KNOWING.has(next.base) && ASKED.has(after?.text ?? ""))) return { kind: "unsure" };
  // `I do not think that …` denies what is thought.
  const isWhole = word?.text === "never" || words.slice(at, at + 5).some(({ text }) => text === "any");
  return { kind: "denies", from: at + (THINKING.has(next.base) ? 2 : 1), isWhole };
}

function readNo(words: readonly Word[], at: number, next: Word): Cue | undefined {
  if (next.text === "longer") return { kind: "denies", from: at + 2, isWhole: false };
  if (next.text === "idea") return { kind: "unsure" };
  if (words[at - 1]?.text === "with") return { kind: "lacks", what: thingAt(words, at + 1) };
  return at === 0 && isAuxiliary(next.base) ? undefined : { kind: "denies", from: at + 1, isWhole: true };
}

/** In `I have no dog, just a cat` the cat is not denied; of others long lists are told with commas. */
function endOf(words: readonly Word[], from: number): number {
  if (!words.slice(0, from).some(({ text }) => text === "i" || text === "we")) return words.length;
  const end = words.findIndex(({ isAfterComma, text }, at) => at > from && isAfterComma && text !== "or");
  return end < 0 ? words.length : end;
}

/** The words of the thing that begins here. */
function thingAt(words: readonly Word[], start: number): readonly string[] {
  const near = words.slice(start, start + 4);
  const first = near.findIndex(({ base }) => !isStopWord(base, { fillers: true }));
  if (first < 0) return [];
  const thing = near.slice(first);
  const end = thing.findIndex(({ base, text }) => isStopWord(base, { fillers: true }) || text.endsWith("ing"));
  return thing.slice(0, end < 0 ? thing.length : end).map(({ base }) => base);
}
