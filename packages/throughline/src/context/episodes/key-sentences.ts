import { termHashes } from "../../language/terms.ts";
import { isUnspaced } from "../../language/words.ts";
import type { LedgerRequest } from "../../ledger/ledger.ts";
import { statementWeight } from "../../ledger/statements.ts";
import { capitalize, plainSentences, requestSentences, subjectWords } from "./episode-sentences.ts";
import type { Task } from "./task.ts";

/** Sentences about one request: decisions of the user, and decisions, findings and results of the assistant. */
export interface KeySentences {
  /** Index of the request. */
  readonly request: number;
  readonly words: number;
  readonly user: readonly string[];
  readonly assistant: readonly string[];
}

/** A sentence that an episode may contain. */
interface Candidate {
  readonly text: string;
  readonly words: number;
  readonly isUser: boolean;
  readonly request: number;
  /** Position among all candidates. */
  readonly at: number;
  readonly weight: number;
  readonly terms: ReadonlySet<number>;
}

/** Factors: words of the user, the last reply to a request, the first sentences of a text, work that changed files. */
const USER = 3;
const CONCLUSION = 3.5;
const LEAD = 2.6;
const LEADS = 2;
const CHANGED = 1.5;
const WHOLE_SENTENCE = 1.5;
/** A decision with its reason has this many words. Fragments say less. */
const MIN_WORDS = 6;
const MAX_USEFUL_WORDS = 24;
const MAX_WORDS = 50;
/** A sentence with a lower share of new words repeats another one. */
const MIN_NEW = 0.25;
/** Weight of a word that the episode already has. */
const REPEATED = 0.3;
const NOVELTY_BASE = 0.2;
const COST_BASE = 7;
const COST_POWER = 1;
/** Factor by which each sentence about a request lowers the rank of the next one. */
const CROWDING = 0.3;
const QUESTION = /[?？]\W{0,8}$/;
const MAX_CANDIDATES = 800;
/** Characters by which a sentence is recognized in a text that is cut. */
const MAX_COMPARED = 40;
/** Words of reaction before the statement itself: "You're right - ", "Good catch! ", "Looking at the callers, ". */
const REACTION =
  /^(?:(?:ah|ha|oh|hm+|yes|yeah|yep|ok(?:ay)?|right|exactly|correct|perfect|great|good(?: (?:catch|point|question|idea|call|news))?|got it|done|fixed|you['’]re (?:absolutely )?right|(?:now )?i (?:can )?(?:see|understand)(?: (?:the|what the) (?:issue|problem|bug)(?: is)?)?|looking at [^,.\n]{1,60}(?=,))\s?[,.!–—-]+\s+){1,3}(?=\S)/i;
const LIST_MARK = /^(?:[-*+•]|\d{1,2}[.)])\s+/;
const LINK = /\[([^\]]{1,120})\]\([^)]{1,300}\)/g;
const SIGN = /[✅✓✔❌🎉]\ufe0f?\s?/gu;
/** An announcement, an offer or a condition. It is not a result. */
const UNSETTLED =
  /^\W*(?:let me|let['’]?s|i['’]ll|i will|i won['’]t|i['’]m (?:going to|now)|you['’]re (?:absolutely )?right|plan (?:complete|saved)|if|once|want|next|consider|sure|understood)\b|\bi need to (?:look|check|read|see|find)\b/i;
/** Short sentences about checks or delivery. Outcome and commits have them. */
const CHECKED =
  /^(?=.{0,120}$).{0,80}\b(?:tests?|lint(?:er|ing)?|build|ci|checks?)\b.{0,40}\b(?:pass(?:es|ed|ing)?|clean|green|succe\w+)\b/i;
const DELIVERED =
  /^(?=.{0,120}$)(?:\W*(?:committed|pushed|merged|rebased|replied|push|commit)(?:\W* [`#]|[,.:]|(?: (?:and|as|to|the|it|this|that|them|our|both|all|everything|on|onto|with|please))\b|$)|.{0,80}\b(?:commits? ahead|files? changed)\b)/i;

/**
 * Chooses the sentences about decisions and findings, with reasons, up to a number of words. Takes the sentence
 * that adds most to those already chosen, again and again.
 *
 * @param known text that the episode already has; its sentences are left out
 */
export function keySentences(task: Task, maxWords: number, known = ""): readonly KeySentences[] {
  const left = new Set(candidatesOf(task).filter(({ text }) => !isIn(known, text)));
  const chosen: Candidate[] = [];
  const covered = new Set<number>();
  const taken = new Map<number, number>();
  let words = 0;
  for (;;) {
    const best = bestOf(left, maxWords - words, covered, taken);
    if (best === undefined) break;
    left.delete(best);
    chosen.push(best);
    words += best.words;
    for (const term of best.terms) covered.add(term);
    taken.set(best.request, (taken.get(best.request) ?? 0) + 1);
  }
  const groups = Map.groupBy(chosen, ({ request }) => request);
  return [...groups].sort(([a], [b]) => a - b).map(([request, group]) => toSentences(request, group));
}

/** True if a text, which may be cut, has a sentence. */
function isIn(text: string, sentence: string): boolean {
  return text.includes(sentence.slice(0, MAX_COMPARED));
}

function toSentences(request: number, group: readonly Candidate[]): KeySentences {
  const ordered = group.toSorted((a, b) => a.at - b.at);
  const textsOf = (isUser: boolean) => ordered.filter((one) => one.isUser === isUser).map(({ text }) => text);
  const words = group.reduce((sum, one) => sum + one.words, 0);
  return { request, words, user: textsOf(true), assistant: textsOf(false) };
}

function bestOf(
  candidates: ReadonlySet<Candidate>,
  maxWords: number,
  covered: ReadonlySet<number>,
  taken: ReadonlyMap<number, number>,
): Candidate | undefined {
  let best: { readonly candidate: Candidate; readonly rank: number } | undefined;
  for (const candidate of candidates) {
    if (candidate.words > maxWords) continue;
    let known = 0;
    for (const term of candidate.terms) if (covered.has(term)) known += 1;
    const isNew = 1 - known / Math.max(1, candidate.terms.size);
    if (isNew < MIN_NEW) continue;
    const novelty = NOVELTY_BASE + isNew + REPEATED * (1 - isNew);
    const crowd = 1 + CROWDING * (taken.get(candidate.request) ?? 0);
    const rank = (candidate.weight * novelty) / (candidate.words + COST_BASE) ** COST_POWER / crowd;
    if (best === undefined || rank > best.rank) best = { candidate, rank };
  }
  return best?.candidate;
}

function candidatesOf({ ledger: { requests, statements } }: Task): readonly Candidate[] {
  const placed = statements.map((statement) => ({
    statement,
    request: requests.findLastIndex(({ at }) => at <= statement.at),
  }));
  const conclusions = new Map(placed.map(({ request, statement }) => [request, statement.at]));
  const placedStatements = placed.map(({ statement: { text, at, order }, request }) => ({
    text: withoutReaction(text),
    request,
    isUser: false,
    factor:
      (conclusions.get(request) === at ? CONCLUSION : 1) * (order < LEADS ? LEAD : 1) * workFactor(requests[request]),
  }));
  const requested = requests.flatMap((request, index) =>
    requestSentences(request).map((text, order) => ({
      text,
      request: index,
      isUser: true,
      factor: USER * (order < LEADS ? LEAD : 1) * workFactor(request),
    })),
  );
  const known = new Set<string>();
  return [...requested, ...placedStatements]
    .map((sentence) => ({ ...sentence, words: countWords(sentence.text) }))
    .filter(({ words }) => words >= MIN_WORDS && words <= MAX_WORDS)
    .slice(-MAX_CANDIDATES)
    .filter(({ text, isUser }) => !known.has(text) && known.add(text) && isInformative(text, isUser))
    .map(({ text, words, request, isUser, factor }, at) => ({
      text,
      words,
      request,
      isUser,
      at,
      weight: factor * informationOf(text, words),
      terms: termHashes(text),
    }));
}

/** True if a sentence is no question, no code, and no announcement, status or confirmation. */
function isInformative(text: string, isUser: boolean): boolean {
  if (QUESTION.test(text) || text.includes("```")) return false;
  if (CHECKED.test(text) || DELIVERED.test(text)) return false;
  return isUser || (!UNSETTLED.test(text) && plainSentences(text).length > 0);
}

/** A sentence of the assistant without list marks, links, signs and words of reaction. */
function withoutReaction(text: string): string {
  const plain = text.replace(LIST_MARK, "").replace(LINK, "$1").replace(SIGN, "");
  const statement = plain.replace(REACTION, "");
  return statement === plain ? plain : capitalize(statement);
}

function workFactor(request: LedgerRequest | undefined): number {
  return request?.work === "changed" ? CHANGED : 1;
}

/** Grows with reasons and results in a sentence, and with its length up to a limit. */
function informationOf(text: string, words: number): number {
  const isWhole = /[.!。！]\W*$/.test(text);
  return statementWeight(text) * Math.min(MAX_USEFUL_WORDS, words) * (isWhole ? WHOLE_SENTENCE : 1);
}

/** Number of words; of a script without spaces, pairs of letters. */
function countWords(text: string): number {
  return isUnspaced(text) ? Math.ceil(text.length / 2) : text.split(/\s+/).length;
}

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
