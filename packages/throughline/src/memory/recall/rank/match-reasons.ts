import { readTerms } from "../../../language/terms.ts";
import type { Memory, Utterance } from "../../../ports/memory.ts";
import type { Candidate, Candidates } from "../../search/search.ts";
import { aboveUsual } from "./cut-features.ts";
import type { SharedNames } from "./match-names.ts";

const MAX_WORDS = 3;
/** Maximum characters of a hit to search for a corrected word. */
const MAX_TEXT_LENGTH = 10_000;
/** Minimum position between the mean cosine (0) and 1 (1) of a text that is close in meaning. */
const CLOSE_COSINE = 0.5;
/** Smaller minimum for a text whose cosine is this number of deviations above the mean. */
const STANDING_OUT = { cosine: 0.3, deviations: 2.5 };
/** Minimum share of the query's words that are near the hit but not in it. */
const NEAR_COVER = 0.15;

/** Reasons for a hit, as short phrases. */
export function matchReasons(
  hit: {
    readonly candidate: Candidate;
    readonly memory?: Memory;
    readonly turn?: Utterance;
    readonly names: SharedNames;
  },
  { person, usualCosine }: Pick<Candidates, "person" | "usualCosine">,
): readonly string[] {
  const { candidate, memory, turn, names } = hit;
  const { cover, ownCover, meaning, cosine, date } = candidate.parts;
  const at = memory?.source.at ?? turn?.at;
  const above = aboveUsual(cosine, usualCosine);
  const standsOut = above >= STANDING_OUT.cosine && meaning >= STANDING_OUT.deviations;
  return [
    names.aliases.length > 0 && `also called ${quoteAll(names.aliases)}`,
    ...wordReasons(
      candidate.parts.matched,
      [memory?.levels.full ?? turn?.text ?? "", ...(memory?.aliases ?? [])].join(" "),
    ),
    cover - ownCover >= NEAR_COVER && "next to a match",
    (above >= CLOSE_COSINE || standsOut) && "close in meaning",
    candidate.parts.person > 0 && person !== undefined && personReason(person, turn),
    date > 0 && at !== undefined && `said on ${new Date(at).toISOString().slice(0, 10)}`,
    memory?.pinned === true && "pinned",
    (memory?.usage.cited ?? 0) > 0 && "used before",
  ].filter((reason) => typeof reason === "string");
}

/** Reasons by words, the rarest first. Ordinary words are used only if there are no others. */
function wordReasons(matched: Candidate["parts"]["matched"], text: string): readonly string[] {
  const specific = matched.filter(({ specificity }) => specificity > 0);
  const words = (specific.length > 0 ? specific : matched).toSorted((a, b) => b.idf - a.idf).slice(0, MAX_WORDS);
  const corrected = words.filter(({ typed }) => typed !== undefined);
  const exact = words.filter(({ typed }) => typed === undefined);
  return [
    ...(exact.length > 0 ? [`matches ${quoteAll(exact.map(({ word }) => word))}`] : []),
    ...corrected.map(({ word, hash, typed }) => `“${typed}” read as “${wordIn(text, hash) ?? word}”`),
  ];
}

/** The word of a text with this stem. */
function wordIn(text: string, stem: number): string | undefined {
  return readTerms(text.slice(0, MAX_TEXT_LENGTH)).find(({ hash }) => hash === stem)?.word;
}

function quoteAll(words: readonly string[]): string {
  return words.map((word) => `“${word}”`).join(", ");
}

function personReason(person: NonNullable<Candidates["person"]>, turn: Utterance | undefined): string {
  const name = person === "user" ? "the user" : person.name;
  return turn === undefined ? `about ${name}` : `said by ${name}`;
}
