import { oneLine } from "../../internal/text.ts";
import { splitSentences } from "../../language/sentences.ts";
import { wordSet } from "../../language/words.ts";
import { countTokens } from "../../tokens/count-tokens.ts";
import type { LevelsInput, ShorterLevels } from "./bound-levels.ts";
import { readReasons } from "./read-reasons.ts";
import { keyword, shorten, slug, specificWords } from "./shorten-words.ts";

/** Maximum tokens of an episode's summary. */
const SUMMARY_TOKENS = 60;
const MAX_SENTENCES = 4;
/** Maximum characters of the title or the first sentence, if the summary contains no change. */
const MAX_GIST_LENGTH = 80;
/** Maximum characters to read of a whole session. */
const MAX_TEXT_LENGTH = 100_000;
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
  const line = text.slice(0, MAX_TEXT_LENGTH).replace(/\s+/g, " ");
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
