import { oneLine } from "../../internal/text.ts";
import { statesChange } from "../../language/change-phrases.ts";
import { splitSentences } from "../../language/sentences.ts";
import { isFunctionWord } from "../../language/stop-words.ts";
import { findName } from "../../language/text-names.ts";
import { describeUser } from "../../language/third-person.ts";
import { wordSet } from "../../language/words.ts";
import { countTokens } from "../../tokens/count-tokens.ts";
import { readSlot, type Slot } from "../facts/slots.ts";
import type { LevelsInput, ShorterLevels } from "./build-levels.ts";
import { keyword, readReasons, shorten, shortenName, slug, specificWords } from "./shorten-words.ts";

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

/** Maximum tokens of an episode's summary. */
const SUMMARY_TOKENS = 60;
const MAX_SENTENCES = 4;
/** Maximum characters of the title or the first sentence, if the summary contains no change. */
const MAX_GIST_LENGTH = 80;
/** Maximum characters to read of a whole session. */
const MAX_EPISODE_LENGTH = 100_000;
const MAX_SENTENCE_LENGTH = 300;

/** Weights of sentences: outcomes count more than attempts. */
const CUES: readonly (readonly [RegExp, number])[] = [
  [/\b(?:root cause|caused by|turned out|the (?:problem|cause|issue) was)\b/i, 4],
  [/\b(?:fix(?:ed)?|resolved|solved)\b/i, 4],
  [/\b(?:replaced|migrated|switched|swapped|moved|converted|renamed|decided|chose)\b/i, 4],
  [/\b(?:added|removed|created|implemented|shipped|released|merged|deployed)\b/i, 3],
  [/\b(?:debugged|investigated|refactored|reviewed|upgraded|wrote|tested)\b/i, 2],
];
const GENERIC_TITLE = wordSet(
  "refactor refactoring fix bug bugs debugging session update updates migration work change changes rewrite cleanup the a an of for episode",
);

const REPLACED =
  /\b(?:replaced|swapped|substituted) (.+?) (?:with|by|for) (.+?)(?=[.,;]|$| (?:because|due|since|after|so|in|to)\b)/i;
const MOVED =
  /\b(?:migrated|switched|moved|converted|renamed|changed)(?: .+?)? from (.+?) to (.+?)(?=[.,;]|$| (?:because|due|since|after|so|in)\b)/i;
const CAUSE = /\b(?:root cause:?|caused by|the (?:problem|cause|issue) was:?)\s+(?:is |was )?(.+?)(?=[.;]|$)/i;
const FAULT =
  /\b(?:wrong|missing|incorrect|stale|bad|invalid|unhandled|broken|duplicate|expired)\s+([\p{L}\p{N}_-]+)/iu;
const FIX = /\bfix(?:ed)?(?: it)?(?: by|:)?\s+(.+?)(?=[.;,]|$)/i;
const ADDED = /\badded (?:an? |the |some )?(.+?)(?=[.;,]|$)/gi;
const DONE_TO =
  /\b(?:debugged|investigated|refactored|reviewed|upgraded|fixed|implemented|rewrote|migrated|optimi[sz]ed) (?:the |an? )?([\p{L}\p{N}_-]+)/iu;

/** An episode as its outcome: "auth: JWT→sessions (size)", "auth_refactor". */
export function compressEpisode({ text, title }: LevelsInput): ShorterLevels {
  const summary = pickSentences(text);
  const { changes, fault } = readOutcome(summary);
  const topic = topicOf(title, summary);
  const label = fault === undefined ? topic : `${topic}_fix`;
  const gist = changes.length > 0 ? changes.join(", ") : oneLine(title?.trim() || summary, MAX_GIST_LENGTH);
  return {
    summary,
    compressed: `${label}: ${gist}`,
    index:
      title === undefined || title.trim() === ""
        ? [topic, fault, ...(fault ? ["fix"] : [])].filter(Boolean).join("_")
        : slug(title),
  };
}

/** The sentences with the outcome, in order; otherwise the first ones. */
function pickSentences(text: string): string {
  const line = text.slice(0, MAX_EPISODE_LENGTH).replace(/\s+/g, " ");
  const ranked = splitSentences(line)
    .map(({ text: sentence }, place) => ({
      sentence: oneLine(sentence, MAX_SENTENCE_LENGTH),
      place,
      worth: worthOf(sentence),
    }))
    .sort((a, b) => b.worth - a.worth || a.place - b.place)
    .slice(0, MAX_SENTENCES);
  const picked: typeof ranked = [];
  let tokens = 0;
  for (const candidate of ranked) {
    tokens += countTokens(candidate.sentence);
    if (tokens > SUMMARY_TOKENS && picked.length > 0) break;
    picked.push(candidate);
  }
  return picked
    .sort((a, b) => a.place - b.place)
    .map(({ sentence }) => sentence)
    .join(" ");
}

function worthOf(sentence: string): number {
  return CUES.reduce((worth, [cue, points]) => worth + (cue.test(sentence) ? points : 0), 0);
}

function readOutcome(summary: string): { readonly changes: readonly string[]; readonly fault: string | undefined } {
  const changes: string[] = [];
  const [, from, to] = REPLACED.exec(summary) ?? MOVED.exec(summary) ?? [];
  const reason = readReasons(summary).reasons[0];
  if (from !== undefined && to !== undefined) {
    changes.push(`${bare(from)}→${bare(to)}${reason === undefined ? "" : ` (${keyword(reason)})`}`);
  }
  const cause = CAUSE.exec(summary)?.[1];
  // A cause without a named fault is not reduced to one word: "50→filtering" has no meaning.
  const named = cause === undefined ? undefined : FAULT.exec(cause)?.[1];
  const fault = named === undefined ? undefined : shorten(named);
  const fix = FIX.exec(summary)?.[1];
  if (fault !== undefined) changes.push(fix === undefined ? fault : `${fault}→${keyword(fix)}`);
  for (const [, added = ""] of summary.matchAll(ADDED)) changes.push(`+${keyword(added)}`);
  return { changes, fault };
}

function bare(phrase: string): string {
  return specificWords(phrase).slice(0, 2).join(" ") || phrase.trim();
}

function topicOf(title: string | undefined, summary: string): string {
  const fromTitle = (title ?? "")
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu)
    ?.find((word) => !GENERIC_TITLE.has(word));
  const named = fromTitle ?? DONE_TO.exec(summary)?.[1] ?? specificWords(summary)[0] ?? "episode";
  return slug(shorten(named), 1);
}

const MAX_STEPS = 12;
/** Maximum characters of a text to search for steps, if none are given. */
const MAX_SEARCHED_LENGTH = 2_000;
const STEP_WORDS = 3;
const SHORT_STEP = 12;
/** Words that do not distinguish a step from its neighbors. */
const GENERIC_STEP = wordSet("schema typed envelope pattern style template new step request layer");
const NUMBERED = /(?:^|\s)(?:\d{1,2}[.)]|step \d{1,2}:?)\s+(.+?)(?=(?<!\s)\s+(?:\d{1,2}[.)]|step \d{1,2}:?)\s|$)/gis;
const THEN = /(?<!\s)(?:\s*(?:→|->|⇒|;\s*)|(?:\s*,)?\s+(?:(?:and )?then\s+|followed by\s+|(?:and )?finally,?\s+))/i;

/** A procedure as one line: "deploy: test→build→stage→verify→prod". */
export function compressWorkflow(input: LevelsInput): ShorterLevels {
  const { text, title = input.key ?? "" } = input;
  const steps = stepsOf(input);
  const topic = slug(shorten(specificWords(title)[0] ?? specificWords(text)[0] ?? "workflow"), 2);
  const hint = steps.length > 1 ? `${topic}: ${steps.join("→")}` : topic;
  return { summary: hint, compressed: hint, index: title === "" ? topic : slug(title) };
}

/** A pattern of code: its parts, "endpoint: route→zod→result→json", "api_pattern". */
export function compressPattern(input: LevelsInput): ShorterLevels {
  const { text, template, title = input.key ?? "" } = input;
  const words = (title.match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !/^(?:new|pattern|the|an?)$/i.test(word));
  const topic = slug(words.at(-1) ?? specificWords(text)[0] ?? "pattern", 1);
  const steps = template === undefined ? stepsOf(input) : Object.entries(template).flatMap(partSteps);
  const parts = Object.entries(template ?? {}).map(([part, value]) => `${part}: ${value}`);
  // A single step is not specific without the location of the code.
  const all = steps.length > 1 || template?.file === undefined ? steps : [template.file, ...steps];
  const hint = all.length > (template === undefined ? 1 : 0) ? `${topic}: ${all.join("→")}` : topic;
  return {
    summary: parts.length > 0 ? parts.join("\n") : hint,
    compressed: hint,
    index: `${slug(words[0] ?? topic, 1)}_pattern`,
  };
}

function stepsOf({ steps, text }: LevelsInput): string[] {
  return (steps ?? findSteps(text))
    .slice(0, MAX_STEPS)
    .map(shortenStep)
    .filter((step) => step !== "");
}

/** Steps in prose: numbered, or with "then" between them. */
function findSteps(whole: string): readonly string[] {
  const text = whole.slice(0, MAX_SEARCHED_LENGTH).replace(/\s+/g, " ");
  const numbered = [...text.matchAll(NUMBERED)].map(([, step = ""]) => step);
  if (numbered.length > 1) return numbered;
  const parts = text
    .replace(/^[^:]{1,40}:\s*/, "")
    .replace(/^first,?\s+/i, "")
    .split(THEN);
  return parts.length > 1 ? parts : [];
}

function shortenStep(step: string): string {
  const bare = step.trim().replace(/(?<![.,;:!])[.,;:!]+$/, "");
  const words = bare.length <= SHORT_STEP && !/\s/.test(bare) ? [bare] : specificWords(bare).slice(0, STEP_WORDS);
  return words.map(shorten).join(" ");
}

/** Parts of a template that are lists of names, and parts that are no steps. */
const LISTS = wordSet("calls methods decorators fields fixtures extends value assertion");
const PLACES = wordSet("file code");

/** A part made of placeholders is named by its key, any other by its most specific word. Names stay as written. */
function partSteps([part, value]: [string, string]): readonly string[] {
  if (PLACES.has(part)) return [];
  if (LISTS.has(part)) return value.split(" → ");
  const words = value.match(/[\p{L}\p{N}]+/gu) ?? [];
  const special = words.find((word) => !GENERIC_STEP.has(word.toLowerCase()));
  return [/[{}]/.test(value) || special === undefined ? shorten(part) : shorten(special)];
}
