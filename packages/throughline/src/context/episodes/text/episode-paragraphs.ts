import type { LedgerRequest } from "../../../ledger/ledger.ts";
import { isIn, type KeySentences } from "./key-sentences.ts";
import { requestSentences } from "./request-sentences.ts";
import { subjectWords } from "./subject-words.ts";

/** Words of a paragraph, without the request it begins with. */
const PARAGRAPH_WORDS = 95;
/** Distance from the middle, as a share of a paragraph, within which the best break is searched. */
const BREAK_RANGE = 0.35;
const MAX_REQUEST_WORDS = 14;
const MIN_REQUEST_WORDS = 4;
const MAX_READ = 600;

/**
 * Writes the chosen sentences as a few paragraphs in order of time, one for each stretch of work. A paragraph begins
 * with the request that led to it; the user's words are in quotation marks.
 *
 * @param known text that the episode already has; a request in it is not repeated
 */
export function paragraphsOf(
  key: readonly KeySentences[],
  requests: readonly LedgerRequest[],
  known: string,
): readonly string[] {
  return stretchesOf(key, requests).map((groups) => {
    const opening = groups[0]?.user.length === 0 ? openingOf(requests[groups[0].request], known) : [];
    return [...opening, ...groups.flatMap(toTexts)].join(" ");
  });
}

/** Consecutive groups of about the same number of words, divided at requests that begin another subject. */
function stretchesOf(
  key: readonly KeySentences[],
  requests: readonly LedgerRequest[],
): readonly (readonly KeySentences[])[] {
  const words = key.reduce((sum, group) => sum + group.words, 0);
  const count = Math.max(1, Math.round(words / PARAGRAPH_WORDS));
  const subjects = key.map(({ request, assistant }) => {
    return subjectWords([requests[request]?.text.slice(0, MAX_READ) ?? "", ...assistant].join(" "));
  });
  let before = 0;
  const gaps = key.slice(1).map((_, at) => {
    before += key[at]?.words ?? 0;
    return { at: at + 1, part: (before / words) * count, shared: countShared(subjects[at], subjects[at + 1]) };
  });
  const breaks = Array.from({ length: count - 1 }, (_, at) => bestBreak(gaps, at + 1));
  const ends = [...new Set(breaks), key.length].filter((end) => end > 0);
  return ends.map((end, at) => key.slice(ends[at - 1] ?? 0, end));
}

/** The gap near the end of a part whose sides share the fewest words. 0 if there is none. */
function bestBreak(
  gaps: readonly { readonly at: number; readonly part: number; readonly shared: number }[],
  part: number,
): number {
  const near = gaps.filter((gap) => Math.abs(gap.part - part) <= BREAK_RANGE);
  return near.toSorted((a, b) => a.shared - b.shared)[0]?.at ?? 0;
}

function countShared(one: ReadonlySet<string> = new Set(), other: ReadonlySet<string> = new Set()): number {
  return [...one].filter((word) => other.has(word)).length / Math.max(1, Math.min(one.size, other.size));
}

/** The first words of a request, unless the episode has them already or it has only a few words. */
function openingOf(request: LedgerRequest | undefined, known: string): readonly string[] {
  const [first = ""] = request === undefined ? [] : requestSentences(request);
  const words = first.split(" ");
  if (words.length < MIN_REQUEST_WORDS || isIn(known, first)) return [];
  const isCut = words.length > MAX_REQUEST_WORDS;
  return [quote(isCut ? `${words.slice(0, MAX_REQUEST_WORDS).join(" ")} …` : first)];
}

function toTexts({ user, assistant }: KeySentences): readonly string[] {
  return [...(user.length === 0 ? [] : [quote(user.map(endSentence).join(" "))]), ...assistant.map(endSentence)];
}

function quote(text: string): string {
  return `“${text}”`;
}

/** A verbatim sentence with a mark at its end. */
export function endSentence(sentence: string): string {
  const line = sentence.replace(/:$/, " …");
  return /[.!?…。！？][)"”'`*]{0,3}$/.test(line) ? line : `${line}.`;
}
