import { IrreducibleContextError, type IrreduciblePart } from "../errors/session-errors.ts";
import { freeIds, type Message } from "../message/message.ts";
import type { TextPart } from "../message/part.ts";
import { besideMessage, syntheticText, withParts } from "../message/repair/repair.ts";
import { findToolPairs, legalCutPoints } from "../message/tool-pairs.ts";
import { boundParts, cutLargeParts, type TrimOptions, tokensOfAll } from "./cut-large-parts.ts";

interface TrimResult {
  readonly messages: readonly Message[];
  /** Messages that were dropped. */
  readonly dropped: readonly Message[];
  /** Ids of parts that were truncated or removed. */
  readonly cut: readonly string[];
  /** Handles of the dropped messages, one per gap. */
  readonly handles: readonly string[];
}

/** Minimum tokens of a truncated part that is still useful. */
export const MIN_PART_TOKENS = 48;
/** Parts above this size can be truncated with little loss. Smaller parts stay, and messages are dropped instead. */
const LARGE_PART = 800;
/** Parts beside a summary are truncated to this size before the summary is. */
const PART_BESIDE_SUMMARY = 300;

/**
 * Last resort: drops messages from the middle out, then truncates the largest remaining parts to head and tail. If the
 * last exchange cannot be truncated, it is dropped as a whole. Each gap gets a note with a handle.
 *
 * @throws IrreducibleContextError if the result still does not fit.
 */
export function trimWindow(messages: readonly Message[], options: TrimOptions): TrimResult {
  for (let left = messages; ; ) {
    // One huge output must not push out user messages: it is truncated before any message is dropped.
    const whole = fit(left, messages, options, LARGE_PART);
    if (whole !== undefined) return whole;
    const kept = trimMiddle(left, messages, options);
    const trimmed = fit(kept, messages, options, MIN_PART_TOKENS);
    if (trimmed !== undefined) return trimmed;
    const stuck = new Set(stuckExchange(kept));
    if (stuck.size === 0) throw irreducible(kept, options);
    left = left.filter((message) => !stuck.has(message));
  }
}

/**
 * Adds notes for dropped messages and truncates large parts. A summary covers many messages, so it is truncated only if
 * everything else is not enough; notes are dropped if they are too large.
 */
function fit(
  kept: readonly Message[],
  all: readonly Message[],
  options: TrimOptions,
  minTokens: number,
): TrimResult | undefined {
  const { messages, notes, handles } = noteGaps(all, kept, options);
  const summaries = kept.flatMap(({ parts }) => parts.filter((part) => part.type === "compaction-marker"));
  const least = summaries.length === 0 ? minTokens : Math.min(minTokens, PART_BESIDE_SUMMARY);
  const window =
    cutLargeParts(messages, [...notes, ...summaries], options, least) ??
    cutLargeParts(messages, notes, options, minTokens) ??
    cutLargeParts(kept, [], options, minTokens);
  if (window === undefined) return undefined;
  const staying = new Set(kept);
  return { ...window, dropped: all.filter((message) => !staying.has(message)), handles };
}

/** The last exchange, if one of its parts can only be removed with all of it and no call in it is pending. */
function stuckExchange(messages: readonly Message[]): readonly Message[] {
  const start = legalCutPoints(messages).findLast((cut) => cut < messages.length) ?? 0;
  const exchange = messages.slice(start);
  const { calls, approvals } = findToolPairs(exchange);
  const isAnswered =
    calls.every(({ part, result }) => result !== undefined || part.providerExecuted === true) &&
    approvals.every(({ response }) => response !== undefined);
  return start > 0 && isAnswered && boundParts(exchange).size > 0 ? exchange : [];
}

function irreducible(messages: readonly Message[], options: TrimOptions): IrreducibleContextError {
  const parts: IrreduciblePart[] = messages
    .flatMap((message) =>
      message.parts.map((part) => ({
        what: `${part.type} of ${message.role} message ${message.id}`,
        tokens: options.tokensOf(part),
      })),
    )
    .sort((a, b) => b.tokens - a.tokens);
  const tokens = tokensOfAll(messages, options);
  if (options.request === undefined) return new IrreducibleContextError(options.budget, tokens, parts);
  const { budget, factor } = options.request;
  const others = budget - Math.floor(options.budget * factor);
  return new IrreducibleContextError(budget, others + Math.ceil(tokens * factor), parts);
}

/**
 * Drops messages from the middle out. Keeps the first exchange (system messages, the task and its summary), the last
 * user message, and the longest tail of whole pairs that fits beside them and the notes. Keeps the shortest tail if
 * none fits.
 *
 * @param all The window before trimming, for the notes.
 */
function trimMiddle(messages: readonly Message[], all: readonly Message[], options: TrimOptions): readonly Message[] {
  const first = Math.max(
    0,
    messages.findIndex((message) => message.role !== "system"),
  );
  const firstMessages = messages[first + 1]?.isSummary === true ? 2 : 1;
  const headEnd = Math.min(first + firstMessages, messages.length);
  const head = messages.slice(0, headEnd);
  const lastUserIndex = messages.findLastIndex((message) => message.role === "user");
  const lastUser = lastUserIndex >= headEnd ? messages.slice(lastUserIndex, lastUserIndex + 1) : [];
  const cuts = findMiddle(messages, headEnd).tailStarts;
  const keptFrom = (cut: number) => [...head, ...(lastUserIndex < cut ? lastUser : []), ...messages.slice(cut)];
  const fits = (cut: number) => tokensOfAll(noteGaps(all, keptFrom(cut), options).messages, options) <= options.budget;
  const left = options.budget - tokensOfAll(head, options);
  const lastUserTokens = tokensOfAll(lastUser, options);
  const tooLong = countTooLong(messages, cuts, (cut) => left - (lastUserIndex < cut ? lastUserTokens : 0), options);
  const best = cuts.slice(tooLong).find(fits) ?? cuts.at(-1);
  return best === undefined ? messages : keptFrom(best);
}

/** Counts the cuts whose tail is too long. Works backwards, so the cost depends only on the kept messages. */
function countTooLong(
  messages: readonly Message[],
  cuts: readonly number[],
  roomFor: (cut: number) => number,
  options: TrimOptions,
): number {
  let tokens = 0;
  let next = messages.length;
  for (let i = cuts.length - 1; i >= 0; i -= 1) {
    const cut = cuts[i] ?? 0;
    tokens += tokensOfAll(messages.slice(cut, next), options);
    if (tokens > roomFor(cut)) return i + 1;
    next = cut;
  }
  return 0;
}

interface NotedWindow {
  readonly messages: readonly Message[];
  /** The inserted notes. */
  readonly notes: readonly TextPart[];
  /** Handle of each gap: `messages:<first id>..<last id>`. */
  readonly handles: readonly string[];
}

/** Consecutive dropped messages, and the kept message after them, if any. */
interface Gap {
  readonly dropped: Message[];
  readonly after: Message | undefined;
}

/**
 * Inserts a note with a handle for each gap: into the user message before the gap, otherwise into the one after it,
 * otherwise as a new user message, which every provider accepts.
 */
function noteGaps(
  all: readonly Message[],
  kept: readonly Message[],
  { sourcesOf = ownSources, namesHandles = true }: Pick<TrimOptions, "sourcesOf" | "namesHandles">,
): NotedWindow {
  const freeId = freeIds(all.map(({ id }) => id));
  const messages: Message[] = [];
  const notes: TextPart[] = [];
  const handles: string[] = [];
  for (const { dropped, after } of gapsOf(all, kept)) {
    const ids = sourcesOf(dropped);
    const [first] = ids;
    const beside = after ?? messages.at(-1) ?? dropped[0];
    if (first === undefined || beside === undefined) {
      if (after !== undefined) messages.push(after);
      continue;
    }
    const handle = `messages:${first}..${ids.at(-1)}`;
    const note = syntheticText(freeId(`${first}~left-out`), noteText(ids.length, namesHandles ? handle : undefined));
    handles.push(handle);
    notes.push(note);
    place(note, messages, after, beside);
  }
  return { messages, notes, handles };
}

function noteText(count: number, handle: string | undefined): string {
  const left = count === 1 ? "1 message left out here" : `${count} messages left out here`;
  return handle === undefined ? `[${left}]` : `[${left}; recall ${count === 1 ? "it" : "them"} as ${handle}]`;
}

/** Adds the note and the message after the gap to the messages before it. */
function place(note: TextPart, messages: Message[], after: Message | undefined, beside: Message): void {
  const before = messages.at(-1);
  const rest = after === undefined ? [] : [after];
  if (before?.role === "user") {
    messages.splice(-1, 1, withParts(before, [...before.parts, note]), ...rest);
  } else if (after?.role === "user") {
    messages.push(withParts(after, [note, ...after.parts]));
  } else {
    messages.push(besideMessage(beside, note.id, "user", [note]), ...rest);
  }
}

/** Kept messages, each with the messages dropped before it; then the messages dropped at the end. */
function gapsOf(all: readonly Message[], kept: readonly Message[]): readonly Gap[] {
  const staying = new Set(kept);
  const gaps: Gap[] = [];
  let dropped: Message[] = [];
  for (const message of all) {
    if (!staying.has(message)) dropped.push(message);
    else {
      gaps.push({ dropped, after: message });
      dropped = [];
    }
  }
  return dropped.length === 0 ? gaps : [...gaps, { dropped, after: undefined }];
}

function ownSources(messages: readonly Message[]): readonly string[] {
  const isSynthetic = ({ parts }: Message) => parts.every((part) => part.type === "text" && part.synthetic === true);
  return messages.filter((message) => !isSynthetic(message)).map(({ id }) => id);
}

/** Places of a list between which messages can be dropped. */
interface Middle {
  /** Number of messages at the start that stay. */
  readonly headEnd: number;
  /** Legal starts of a tail behind them, first the longest tail. */
  readonly tailStarts: readonly number[];
}

/**
 * Finds the middle of a list: everything between its first messages and a tail. A tool call stays with its result.
 *
 * @param first Number of messages to keep at the start; more stay if a call would lose its result.
 */
export function findMiddle(messages: readonly Message[], first: number): Middle {
  const cuts = legalCutPoints(messages);
  const headEnd = cuts.find((cut) => cut >= first) ?? messages.length;
  return { headEnd, tailStarts: cuts.filter((cut) => cut >= headEnd && cut < messages.length) };
}
