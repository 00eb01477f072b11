import { statesChange } from "../../language/change-phrases.ts";
import { isFunctionWord } from "../../language/stop-words.ts";
import { findName } from "../../language/text-names.ts";
import { describeUser } from "../../language/third-person.ts";
import { wordSet } from "../../language/words.ts";
import { readSlot, type Slot } from "../facts/read-slot.ts";
import type { LevelsInput, ShorterLevels } from "./bound-levels.ts";
import { readReasons } from "./read-reasons.ts";
import { keyword, shorten, shortenName, slug, specificWords } from "./shorten-words.ts";

const ACRONYMS = /^(?:db|api|ci|ui|os|orm|iac|vcs|cli|sdk|ide|id|url)$/;
/** Sentences of up to this number of words stay whole. Longer ones are cut to `KEPT_WORDS`. */
const MAX_WORDS = 18;
const KEPT_WORDS = 16;
/** Words that can be dropped without a change of meaning. Prepositions and verbs cannot. */
const LIGHT = wordSet("a an the very really quite just please");
/** Words that reverse the meaning, or have none, without the words after them. */
const DANGLING =
  /^(?:never|not|no|nor|neither|nobody|nothing|none|hardly|without|except|unless|only|always|must|should|cannot|but|if|when|\w+n't)$/i;
const INDEX_WORDS = 3;
const MAX_CLAIM_LENGTH = 1_000;
const SHORT_VALUE = 16;

/** A fact as key and value: "DB: PostgreSQL (JSON support)", "db:postgres(json)", "db:pg". */
export function compressFact({ text, key, value }: LevelsInput): ShorterLevels {
  const slot = key === undefined || value === undefined ? readStandingSlot(text) : { key, value };
  const { claim, reasons } = readReasons(text);
  if (slot?.value === undefined || slot.value === "") return compressSentence(claim, reasons, key);
  const name = slot.key.toLowerCase().replace(/[\s-]+/g, "_");
  const label = ACRONYMS.test(name) ? name.toUpperCase() : name.replaceAll("_", " ");
  const short = shortestValue(slot.value);
  return {
    summary: `${label}: ${slot.value}${inBrackets(reasons, ", ")}`,
    compressed: `${name}:${casualValue(slot.value)}${inBrackets(reasons.map(keyword), ",")}`,
    index: short.length <= SHORT_VALUE ? `${name}:${short}` : name,
  };
}

/** The slot of a fact, unless it states a change: "moved to persistent worktrees" is not a residence. */
function readStandingSlot(text: string): Slot | undefined {
  return statesChange(text) ? undefined : readSlot(text);
}

/** A fact without a key: its sentence without words that can be dropped. */
function compressSentence(claim: string, reasons: readonly string[], key: string | undefined): ShorterLevels {
  const described = describeUser(claim.replace(/^(?:the )?user (?:is |has )?/i, "").trim());
  const main = describeUser(mainClause(claim.slice(0, MAX_CLAIM_LENGTH)));
  const words = specificWords(main);
  const nouns = words.filter((word) => word.length > 1 && !isFunctionWord(word.toLowerCase()));
  return {
    summary: `${described}${inBrackets(reasons, ", ")}`,
    compressed: `${withoutLightWords(main)}${inBrackets(reasons.map(keyword), ",")}`,
    index:
      key ??
      (nouns.length > 0 ? nouns : words)
        .slice(0, INDEX_WORDS)
        .map((word) => slug(shorten(word)))
        .join("_"),
  };
}

/** A sentence without a report before it ("Tim said that he …") and without the remarks after it. */
function mainClause(sentence: string): string {
  const [main = sentence] = sentence.split(/, (?:especially|which|where|particularly|mostly|and so|because)\b/i, 1);
  return main.replace(
    /^(\p{Lu}[\p{L}'’-]+) (?:mentioned|said|noted|told (?:me|us)|explained|added) that (?:he|she|they) /u,
    "$1 ",
  );
}

/** Drops light words and marks a cut at the end. Paths and identifiers stay unchanged. */
function withoutLightWords(sentence: string): string {
  const words = sentence
    .replaceAll("’", "'")
    .split(/\s+/)
    .map((word) => word.replace(/(?<![.,;:!?])[.,;:!?]+$/, ""))
    .filter((word) => word !== "" && !LIGHT.has(word.toLowerCase()))
    .map((word, at) => (at === 0 && /^\p{Lu}\p{Ll}*$/u.test(word) ? shorten(word) : shortenName(word)));
  if (words.length <= MAX_WORDS) return words.join(" ");
  let kept = KEPT_WORDS;
  while (kept > 1 && DANGLING.test(words[kept - 1] ?? "")) kept -= 1;
  return `${words.slice(0, kept).join(" ")} …`;
}

function inBrackets(parts: readonly string[], separator: string): string {
  return parts.length === 0 ? "" : `${separator === "," ? "" : " "}(${parts.join(separator)})`;
}

/** A value in informal notation: names in their casual form, ">" for "over". */
function casualValue(value: string): string {
  return value
    .replace(/(?<!\s)\s+(?:over|instead of|rather than)\s+/gi, ">")
    .replace(/(?<!\s)\s+(?:and|&)\s+/gi, "+")
    .split(/\s+/)
    .map((word) =>
      word
        .split(/(?=[>+])|(?<=[>+])/)
        .map(shortenName)
        .join(""),
    )
    .join("-");
}

function shortestValue(value: string): string {
  const name =
    findName(value) ??
    value
      .split(/\s+/)
      .map(findName)
      .find((known) => known !== undefined);
  return name?.short ?? casualValue(value);
}
