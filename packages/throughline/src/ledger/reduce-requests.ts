import { omitUndefined } from "../internal/json.ts";
import { oneLine } from "../internal/text.ts";
import { splitSentences } from "../language/sentences.ts";
import { isSmallTalk } from "../language/small-talk.ts";
import { readWords } from "../language/words.ts";
import type { Ledger, LedgerConstraint, LedgerRequest } from "./ledger.ts";
import { keepWords, LIMITS, type WordLimits } from "./ledger-limits.ts";
import { cutWords, isTypeable, ownSentence, ownWords } from "./quoted/user-quotes.ts";
import { readUserWords } from "./quoted/user-words.ts";
import { chosenOptions } from "./read/choices.ts";
import { findConstraints } from "./read/find-rules.ts";
import { isReason } from "./read/read-refusal.ts";
import { addRules, keepRules } from "./rule-list.ts";

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
  const letGo = {
    requests: ledger.letGo.requests + ledger.requests.length - requests.length,
    constraints: ledger.letGo.constraints + dropped,
  };
  return { ...ledger, requests, constraints, letGo };
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
