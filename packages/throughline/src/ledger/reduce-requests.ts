import { omitUndefined } from "../internal/json.ts";
import { oneLine } from "../internal/text.ts";
import { isRule } from "../language/rule-markers.ts";
import { splitSentences } from "../language/sentences.ts";
import { isSmallTalk } from "../language/small-talk.ts";
import { readWords, wordSet } from "../language/words.ts";
import {
  keepWords,
  type Ledger,
  type LedgerConstraint,
  type LedgerRequest,
  LIMITS,
  type WordLimits,
} from "./ledger.ts";
import { cutWords, isTypeable, ownSentence, ownWords } from "./quoted/user-quotes.ts";
import { readUserWords } from "./quoted/user-words.ts";
import { chosenOptions, findConstraints } from "./read/find-rules.ts";
import { isReason } from "./read/read-refusal.ts";

/** Consent to the current work, without a request: "yes", "yep let's do it", "ok, go ahead please". */
const ASSENT =
  /^(?:(?:yes|yep|yeah|y|ok|okay|sure|go ahead|go on|go|(?:please |let['’]?s )?(?:continue|proceed|do (?:it|this|that))|please do|sounds good|thanks|thank you|great|perfect|nice|lgtm|please)(?:[\s,.!]+|$)){1,4}$/i;
/** A command of the client without an argument: `/plan`. */
const BARE_COMMAND = /^\/[\w:.-]{1,80}$/;
/** A greeting, without a request. */
const GREETING = /^(hi|hello|hey|good (morning|afternoon|evening))( there| claude)?[.!]*$/i;

const MAX_SMALL_TALK_LENGTH = 600;

/** Ends with a question mark, or begins with a question word. */
const QUESTION = /[?？]\W{0,8}$|^\s*(?:what|why|how|where|when|which|who|is|are|do|does|did|should)\b/i;
/** Text that a client writes into the conversation when the user stops the assistant. */
const INTERRUPTED = /^\s*(?:\[Request interrupted by user[^\]\n]{0,60}\]\s*)+/;
/** The same of other clients, and of a hook that stops a request before the assistant sees it. */
const STOPPED = /^\s*(?:<turn_aborted>|Operation stopped by hook: )/;

/** Share of the words of a stopped request that its next version has. */
const REVISED_SHARE = 0.8;

/** A text part of a message by the user. */
interface Speech {
  readonly speech: string;
  /** The user's own words in it, without quoted and pasted text. */
  readonly own: string;
  readonly part: string;
  readonly at: number;
  readonly time: number;
}

/** Records a text part of the user: a request, verbatim, and the rules in the user's own words. */
export function noteSpeech(ledger: Ledger, { speech, own, part: partId, at, time }: Speech): Ledger {
  const part = isTypeable(partId) ? partId : undefined;
  if (INTERRUPTED.test(speech)) {
    return noteSpeech(noteInterruption(ledger, speech), {
      speech: withoutInterruption(speech),
      own,
      part: partId,
      at,
      time,
    });
  }
  const text = ownWords(speech, part);
  if (text === "") return ledger;
  const last = ledger.requests.at(-1);
  if (last !== undefined && ASSENT.test(text.trim())) return withLast(ledger, { ...last, state: "open" });
  // A request that was stopped, or not answered yet, is sent again.
  if (last?.text === text && (last.state === "open" || last.state === "stopped")) {
    return withLast(ledger, { ...last, state: "open" });
  }
  const requests = last !== undefined && isRevised(last, text) ? ledger.requests.slice(0, -1) : ledger.requests;
  if ((last === undefined && GREETING.test(text.trim())) || isOnlySmallTalk(text)) return ledger;
  const request: LedgerRequest = omitUndefined({
    text,
    at,
    time: time > 0 && Number.isInteger(time) ? time : undefined,
    state: "open" as const,
    part,
    said: 0,
  });
  const moment = { part, isReply: last !== undefined, wasStopped: last?.state === "stopped" };
  const rules = findConstraints(own, moment).map((rule): LedgerConstraint => omitUndefined({ ...rule, at, part }));
  return keepWordsOf({
    ...ledger,
    requests: [...requests, request],
    statements: withChoice(ledger, text, at),
    constraints: addRules(ledger.constraints, rules),
  });
}

/**
 * The request that defines the subject of the session: the first one, unless it only agrees to something ("yep let's do
 * it", in a continued session) or is a command without an argument.
 */
export function taskOf(requests: readonly LedgerRequest[]): LedgerRequest | undefined {
  const isEmpty = ({ text }: LedgerRequest) => ASSENT.test(text.trim()) || BARE_COMMAND.test(text.trim());
  return requests.find((request) => !isEmpty(request)) ?? requests[0];
}

/** The statements with the options that a message chooses, which give a request such as "2" its meaning. */
function withChoice({ statements, options = [], requests }: Ledger, text: string, at: number): Ledger["statements"] {
  const chosen = chosenOptions(text, options);
  if (chosen.length === 0) return statements;
  const since = requests.at(-1)?.at ?? 0;
  const others = statements.filter((one) => one.at < since || !chosen.some((option) => option.text.includes(one.text)));
  return [...others, ...chosen.map((option, order) => ({ text: option.text, at, order }))];
}

/** True if a text is another version of a request that was stopped before any work: it has nearly all of its words. */
function isRevised({ state, work, text: before }: LedgerRequest, text: string): boolean {
  if (state !== "stopped" || work !== undefined) return false;
  const words = new Set(readWords(text));
  const earlier = readWords(before);
  const shared = earlier.filter((word) => words.has(word)).length;
  return shared > 0 && shared >= REVISED_SHARE * earlier.length;
}

/** True if a message is only a greeting, thanks, praise or a farewell. */
function isOnlySmallTalk(text: string): boolean {
  if (text.length > MAX_SMALL_TALK_LENGTH) return false;
  const sentences = splitSentences(text, { anyCase: true });
  return sentences.length > 0 && sentences.every((sentence) => isSmallTalk(sentence.text));
}

/** The reason for a refusal, and the label of the refused call ("" if unknown). */
interface Refusal {
  readonly reason: string;
  readonly refused: string;
  /** Id of the part with the reason. */
  readonly part: string;
  readonly at: number;
}

/** Records the reason for a refusal, if there is one, without pasted text. */
export function noteRefusal(ledger: Ledger, { reason, refused, part: partId, at }: Refusal): Ledger {
  const part = isTypeable(partId) ? partId : undefined;
  const { own } = readUserWords(reason.slice(0, LIMITS.request));
  const text = cutWords(ownSentence(own.replace(/\s+/g, " ")), LIMITS.rule, part);
  if (!isReason(text) || !/\p{L}\S*\s+\S|[^\s\p{ASCII}]{3}/u.test(text)) return ledger;
  const rule = { text, at, refused };
  return keepWordsOf({ ...ledger, constraints: addRules(ledger.constraints, [omitUndefined({ ...rule, part })]) });
}

/** The label of a refused call, on one line. */
export function refusalLabel(refused: string): string {
  return oneLine(refused.replaceAll("`", "'"), LIMITS.refused);
}

/** A text without the line about the interruption by the user. */
export function withoutInterruption(text: string): string {
  return text.replace(INTERRUPTED, "");
}

/** Marks the open request as stopped, if the client's text reports it. */
export function noteInterruption(ledger: Ledger, text: string): Ledger {
  const last = INTERRUPTED.test(text) || STOPPED.test(text) ? ledger.requests.at(-1) : undefined;
  return last?.state === "open" ? withLast(ledger, { ...last, state: "stopped" }) : ledger;
}

/** Records work on the last request. */
export function noteAction(ledger: Ledger, work: "ran" | "changed"): Ledger {
  const last = ledger.requests.at(-1);
  if (last === undefined || last.work === work || last.work === "changed") return ledger;
  return withLast(ledger, { ...last, work });
}

function withLast(ledger: Ledger, request: LedgerRequest): Ledger {
  return { ...ledger, requests: ledger.requests.with(-1, request) };
}

/** Reduces the user's words to `limits`, and counts the dropped ones. */
export function keepWordsOf(
  ledger: Ledger,
  limits: {
    readonly requests: WordLimits;
    readonly constraints: Pick<WordLimits, "count" | "characters">;
  } = LIMITS,
): Ledger {
  const requests = keepWords(ledger.requests, limits.requests);
  const { rules: constraints, dropped } = keepRules(ledger.constraints, limits.constraints);
  const droppedCounts = {
    requests: ledger.droppedCounts.requests + ledger.requests.length - requests.length,
    constraints: ledger.droppedCounts.constraints + dropped,
  };
  return { ...ledger, requests, constraints, droppedCounts };
}

/**
 * Ends the open requests after a reply that ends the turn. A reply that announces a next step does not end a request
 * without work and statements.
 */
export function noteAnswer(ledger: Ledger): Ledger {
  const { requests: asked, statements, outlook } = ledger;
  if (asked.every(({ state }) => state !== "open")) return ledger;
  const isAnnounced = outlook?.kind === "next" && outlook.at === ledger.messages;
  const requests = asked.flatMap((request): readonly LedgerRequest[] => {
    if (request.state !== "open") return [request];
    const isSilent = request.work === undefined && !statements.some(({ at }) => at > request.at);
    // A command of the client that led to nothing, such as `/ide`.
    if (isSilent && BARE_COMMAND.test(request.text.trim())) return [];
    if (isAnnounced && isSilent) return [request];
    const isDone = request.work === "changed" || (request.work === "ran" && !QUESTION.test(request.text));
    return [{ ...request, state: isDone ? "done" : "answered" }];
  });
  return { ...ledger, requests };
}

/** Maximum number of rules per message that rank with those of other messages. Further ones rank behind all of them. */
const PER_MESSAGE = 4;
/** A message with more rules ranks behind others as a whole, because most of them are not rules for this session. */
const MANY = 12;
/** Words that do not change the meaning of a rule. */
const FILLERS = wordSet(
  "please pls again just really also and so the a an bitte por favor s il te vous plait per favore пожалуйста lutfen 请 請",
);

/**
 * Adds the rules of a message to a list. A rule that is already known verbatim is counted as a repetition. If a message
 * has many rules, all but a few rank behind those of other messages.
 */
function addRules(known: readonly LedgerConstraint[], found: readonly LedgerConstraint[]): readonly LedgerConstraint[] {
  const rules = new Map(known.map((rule) => [keyOf(rule), rule]));
  const isMany = found.length > MANY ? 1 : 0;
  let index = known.filter(({ at }) => at === found[0]?.at).length;
  for (const rule of found) {
    const before = rules.get(keyOf(rule));
    if (before?.at === rule.at) continue;
    const behind = Math.floor(index / PER_MESSAGE) + isMany;
    index += 1;
    if (before === undefined) rules.set(keyOf(rule), behind === 0 ? rule : { ...rule, behind });
    // A client may report one refusal several times.
    else if (rule.refused === undefined) rules.set(keyOf(rule), repeated(before, behind));
  }
  return [...rules.values()];
}

function repeated({ behind: before = 0, times = 1, ...rule }: LedgerConstraint, now: number): LedgerConstraint {
  const behind = Math.min(before, now);
  return { ...rule, times: times + 1, ...(behind === 0 ? {} : { behind }) };
}

/**
 * The rules after a call was made. If the user had refused that call before, the reason was temporary, unless it is a
 * rule.
 */
export function noteConsent(rules: readonly LedgerConstraint[], call: string): readonly LedgerConstraint[] {
  const isRefusalOf = ({ refused, text }: LedgerConstraint) => refused === call && refused !== "" && !isRule(text);
  return rules.some(isRefusalOf)
    ? rules.map((rule) => (isRefusalOf(rule) ? { ...rule, wasDone: true as const } : rule))
    : rules;
}

/**
 * True if a correction or the reason for a refusal is closed: the request with the correction has ended, or the
 * refused call was made later. Repeated ones never are.
 */
export function isClosed(
  { kind, wasDone, times = 1, at }: LedgerConstraint,
  requests: readonly LedgerRequest[],
): boolean {
  if (times > 1) return false;
  if (wasDone === true) return true;
  return kind === "correction" && requests.some((request) => request.at === at && request.state !== "open");
}

/** Requests whose outcome the user corrected with the next message. */
export function correctedRequests({
  requests,
  constraints,
}: Pick<Ledger, "requests" | "constraints">): Set<LedgerRequest> {
  const corrections = new Set(constraints.filter(({ kind }) => kind === "correction").map(({ at }) => at));
  return new Set(requests.filter((_, index) => corrections.has(requests[index + 1]?.at ?? 0)));
}

/** Rules in the order of a note: standing rules, corrections, refusals, each newest first. */
export function rulesInOrder(rules: readonly LedgerConstraint[]): readonly LedgerConstraint[] {
  const newest = rules.toReversed();
  const rank = ({ kind, refused }: LedgerConstraint) => (refused !== undefined ? 2 : kind === undefined ? 0 : 1);
  return newest.toSorted((a, b) => rank(a) - rank(b));
}

function keyOf({ text, refused }: LedgerConstraint): string {
  return `${refused ?? ""}\n${text}`;
}

/**
 * Reduces rules to the limits, in order. Rules that differ only in filler words are merged, then those with the lowest
 * priority are dropped; `dropped` is their number.
 */
export function keepRules(
  rules: readonly LedgerConstraint[],
  { count, characters }: Pick<WordLimits, "count" | "characters">,
): { readonly rules: readonly LedgerConstraint[]; readonly dropped: number } {
  const length = rules.reduce((sum, { text }) => sum + text.length, 0);
  if (rules.length <= count && length <= characters) return { rules, dropped: 0 };
  const merged = mergeRules(rules);
  const kept = new Set<LedgerConstraint>();
  let used = 0;
  for (const rule of rulesByPriority(merged)) {
    if (kept.size === count || used + rule.text.length > characters) continue;
    kept.add(rule);
    used += rule.text.length;
  }
  return { rules: merged.filter((rule) => kept.has(rule)), dropped: merged.length - kept.size };
}

/** Merges rules that differ only in filler words. The first wording is kept. */
function mergeRules(rules: readonly LedgerConstraint[]): readonly LedgerConstraint[] {
  return [...Map.groupBy(rules, wordsOf).values()].flatMap(([first, ...others]) => {
    if (first === undefined || others.length === 0) return first ?? [];
    return { ...first, times: others.reduce((sum, { times = 1 }) => sum + times, first.times ?? 1) };
  });
}

/** Drops rules that repeat others, apart from filler words. */
export function distinctRules(rules: readonly LedgerConstraint[]): readonly LedgerConstraint[] {
  return [...Map.groupBy(rules, wordsOf).values()].flatMap(([first]) => first ?? []);
}

function wordsOf({ text, refused = "" }: LedgerConstraint): string {
  const words = readWords(text).filter((word) => !FILLERS.has(word));
  return `${refused}\n${words.length === 0 ? text : words.join(" ")}`;
}

/**
 * Rules by descending priority: those of messages with few rules, then repeated ones, then the newest and the oldest in
 * turn, closed ones last.
 */
export function rulesByPriority(
  rules: readonly LedgerConstraint[],
  isPast: (rule: LedgerConstraint) => boolean = ({ wasDone }) => wasDone === true,
): readonly LedgerConstraint[] {
  const rank = (rule: LedgerConstraint) => ((rule.times ?? 1) > 1 ? 0 : isPast(rule) ? 2 : 1);
  return [...Map.groupBy(rules, ({ behind = 0 }) => behind)]
    .sort(([a], [b]) => a - b)
    .flatMap(([, tier]) => [0, 1, 2].flatMap((level) => fromBothEnds(tier.filter((rule) => rank(rule) === level))));
}

/** The last, the first, the last but one, the second, and so on. */
function fromBothEnds<T>(list: readonly T[]): readonly T[] {
  const half = Math.floor(list.length / 2);
  const first = list.slice(0, half);
  return list
    .slice(half)
    .toReversed()
    .flatMap((last, index) => [last, ...first.slice(index, index + 1)]);
}
