import { findName } from "../../language/text-names.ts";
import { wordSet } from "../../language/words.ts";

/** Common abbreviations of words in software development. */
const ABBREVIATIONS: ReadonlyMap<string, string> = new Map(
  `expertise exp|experience exp|performance perf|timezone tz|authentication auth|authorization authz|configuration config
  environment env|environments env|database db|repository repo|application app|development dev|production prod|directory dir
  message msg|messages msg|error err|errors err|request req|requests req|response res|responses res|parameter param|number num
  reference ref|references ref|specification spec|administrator admin|dependency dep|dependencies deps|function fn|functions fn
  maximum max|minimum min|temporary tmp|package pkg|packages pkg|library lib|libraries lib|document doc|documentation docs
  synchronization sync|asynchronous async|management mgmt|version ver|regression test|tests test|testing test|maintainability maint
  compatibility compat|validation validate|deployment deploy|reliability rel|scalability scale|availability avail`
    .split(/[|\n]/)
    .map((pair) => pair.trim().split(" ") as [string, string]),
);

/** Words that can be dropped from a phrase without a change of meaning. */
const WEAK = wordSet(`
  a an the its their our his her my your this that these those it them is are was were be been being has have had do does did
  strong existing great good better best easy easier very more much most excellent solid overall general
  operations data usage use issues issue problems problem concerns reasons reason purposes stuff things with of for to in on
  at by from and or as user users team's`);
/** Nouns without information of their own. */
const GENERIC = wordSet("support feature features ability option options handling");

function isWeak(word: string): boolean {
  return WEAK.has(word.toLowerCase());
}

/** The content words of a text, as written. */
export function specificWords(text: string): string[] {
  const words = text.replaceAll("’", "'").match(/[\p{L}\p{N}][\p{L}\p{N}+#.'-]*/gu) ?? [];
  return words.map((word) => word.replace(/(?<!['.-])['.-]+$|'s$/g, "")).filter((word) => word !== "" && !isWeak(word));
}

/** One word in its casual short form: `postgres`, `exp`, `json`. */
export function shorten(word: string): string {
  const name = findName(word);
  const lower = word.toLowerCase();
  return name?.casual ?? ABBREVIATIONS.get(lower) ?? lower;
}

/** The same, but names without a known short form stay as written. */
export function shortenName(word: string): string {
  const lower = word.toLowerCase();
  return findName(word)?.casual ?? ABBREVIATIONS.get(lower) ?? (/[^\p{Ll}-]/u.test(word) ? word : lower);
}

/** The most important word of a phrase: a name if there is one, otherwise the last word. */
export function keyword(phrase: string): string {
  const words = specificWords(phrase);
  const specific = words.filter((word) => !GENERIC.has(word.toLowerCase()));
  const name = specific.find((word) => /^[A-Z\d]{2,}$/.test(word) || findName(word) !== undefined);
  return shorten(name ?? specific.at(-1) ?? words.at(-1) ?? phrase.trim());
}

/** A search key: lower case, with underscores. */
export function slug(text: string, mostWords = 4): string {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.slice(0, mostWords).join("_");
}

const BECAUSE = /\s(?:because of|because|due to|thanks to|on account of|since|for its|owing to)\s+(.+?)[.!]?$/is;
/** Longer texts contain more than a claim and its reasons. */
const MAX_TEXT_LENGTH = 1_000;
const MAX_REASONS = 3;
const MAX_WORDS = 3;

/** A sentence without its reasons, and these as short phrases. */
export function readReasons(text: string): { readonly claim: string; readonly reasons: readonly string[] } {
  const match = text.length > MAX_TEXT_LENGTH ? null : BECAUSE.exec(text);
  if (match === null) return { claim: text, reasons: [] };
  const reasons = (match[1] ?? "")
    .split(/(?:(?<!\s)\s+)?,\s*(?:and\s+)?|(?<!\s)\s+and\s+/i)
    .map(shortenReason)
    .filter((reason) => reason !== "");
  return { claim: text.slice(0, match.index), reasons: reasons.slice(0, MAX_REASONS) };
}

/** "its strong support for JSON operations" is "JSON support". */
function shortenReason(reason: string): string {
  const [head = "", of = ""] = reason.split(/(?<!\s)\s+(?:for|of)\s+/i, 2);
  const words = [...wordsOf(of), ...wordsOf(head)];
  return words.slice(-MAX_WORDS).join(" ");
}

function wordsOf(phrase: string): string[] {
  const words = phrase.match(/[\p{L}\p{N}][\p{L}\p{N}+#.'/-]*/gu) ?? [];
  return words.map((word) => word.replace(/'s$|(?<![.'])[.']+$/g, "")).filter((word) => !isWeak(word));
}
