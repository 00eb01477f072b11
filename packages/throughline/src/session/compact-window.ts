import { composeSummary } from "../compact/compose-summary.ts";
import { type GenerateSummaryOptions, trySummary } from "../compact/generate-summary.ts";
import { extractOriginalTask, isSpeech, textOf } from "../compact/original-task.ts";
import { readSummary } from "../compact/read-summary.ts";
import { filterMessagesForCompaction, selectSpan, type TailRule } from "../compact/select-messages.ts";
import { omitUndefined } from "../internal/json.ts";
import { yieldToEventLoop } from "../internal/yield-to-event-loop.ts";
import { rememberCounts, renderLedger } from "../ledger/render-ledger.ts";
import type { Message } from "../message/message.ts";
import { findNative } from "./find-native.ts";
import { makeStandIns } from "./make-stand-ins.ts";
import type { SessionContext, Tally } from "./session-context.ts";
import type { CompactionEvent, Entry, SessionState } from "./session-state.ts";
import { materialize, type WindowSources } from "./window.ts";

export interface CompactionRequest {
  /** Tokens for the summary, ledger included. */
  readonly targetTokens: number;
  /** How many of them are for the user's own words before anything else. */
  readonly words?: number;
  /** How many of them what an earlier summary says may have, where no model makes one text of the two. */
  readonly earlier?: number;
  /** What it replaces can be recalled by its name: somebody keeps the history. */
  readonly isRecallable?: boolean;
  /** The tail that stays as it is. */
  readonly keep: TailRule;
  readonly focus?: string;
  readonly signal?: AbortSignal;
  /** Without asking the model: for a preview. */
  readonly withoutModel?: boolean;
}

/** What a compaction needs to know of its session. */
export type CompactionContext = Pick<SessionContext, "sessionId" | "clock" | "model" | "profile" | "timeLimit">;

/** A compaction that was thought through and is not done yet. */
export interface PlannedCompaction {
  readonly event: CompactionEvent;
  readonly division: Division;
}

interface Division {
  /** System messages and the original task, which stay in front of the summary. */
  readonly head: readonly Entry[];
  readonly hasTask: boolean;
  /** All up to the tail, in order. */
  readonly before: readonly Entry[];
  readonly replaced: readonly Entry[];
  /** What the user said last, where the tail does not hold it: it stays behind the summary. */
  readonly kept: readonly Entry[];
}

/** For the title above what an earlier summary says. */
export const TITLE_TOKENS = 8;
/** The newest of what a compaction replaced are near misses in receipts. */
const NEAR_MISSES = 20;

/**
 * What a compaction would make of a window. Nothing is stored here.
 *
 * @returns `undefined` where there is nothing to replace, or no room for a word about it.
 */
export async function planCompaction(
  state: SessionState,
  sources: WindowSources,
  request: CompactionRequest,
  context: CompactionContext,
  tally: Tally,
): Promise<PlannedCompaction | undefined> {
  const window = materialize(state, sources);
  const division = divide(state, sources, window, request, tally);
  if (division === undefined) return undefined;
  const open = (entries: readonly Entry[]) => materialize({ ...state, entries }, sources);
  const span = open(division.replaced);
  const round = state.rounds + 1;
  const prose = await askForProse(span, window, round, state, request, context, tally);
  await yieldToEventLoop();
  const summary = await composeSummary({
    round,
    prose: "text" in prose ? prose.text : undefined,
    earlier: { text: earlierProse(window), tokens: request.earlier ?? 0 },
    profile: context.profile,
    ledger: ledgerRenderer(state, request, tally),
    messages: span.filter((message) => message.isSummary !== true),
    targetTokens: request.targetTokens,
    count: tally.text,
    ...(request.isRecallable ? { handle: `compaction-${round}` } : {}),
  });
  await yieldToEventLoop();
  // A summary that says nothing, not even where the rest is, would lose what it stands for.
  if (summary === "") return undefined;
  const behind = open([...division.kept, ...state.entries.slice(division.before.length)]);
  const event: CompactionEvent = {
    ...describe(summary, round, division, span, behind, context, tally),
    ...("failure" in prose ? { withoutProse: prose.failure } : {}),
    masksBefore: state.masks,
    tokensBefore: inProviderTokens(window, tally),
  };
  const planned = { event, division };
  const after = applyCompaction(planned, state, sources.messages);
  const events = new Map(sources.events).set(event.id, event);
  const tokensAfter = after === undefined ? 0 : inProviderTokens(materialize(after, { ...sources, events }), tally);
  return { event: { ...event, tokensAfter }, division };
}

/**
 * The state after a compaction. It may be another state than the one it was planned for, as long as what it replaces
 * still stands there: messages that came since stay behind the tail.
 */
export function applyCompaction(
  { event, division }: PlannedCompaction,
  state: SessionState,
  messages: WindowSources["messages"],
): SessionState | undefined {
  const { head, before, kept } = division;
  const stillStands = before.every((entry, index) => isSame(entry, state.entries[index]));
  if (!stillStands || state.rounds + 1 !== event.round) return undefined;
  const entries: Entry[] = [...head, { event: event.id }, ...kept, ...state.entries.slice(before.length)];
  return {
    ...state,
    entries,
    masks: masksOf(state, entries, messages),
    rounds: event.round,
    appendedAtCompaction: state.appended,
  };
}

function isSame(a: Entry, b: Entry | undefined): boolean {
  if (b === undefined) return false;
  return "message" in a ? "message" in b && a.message === b.message : "event" in b && a.event === b.event;
}

/** The masks of what is still in the window; the others are kept with what they are in. */
function masksOf(
  { masks }: SessionState,
  entries: readonly Entry[],
  messages: WindowSources["messages"],
): SessionState["masks"] {
  const parts = entries.flatMap((entry) => ("message" in entry ? (messages.get(entry.message)?.parts ?? []) : []));
  const inWindow = new Set(parts.map(({ id }) => id));
  return Object.fromEntries(Object.entries(masks).filter(([id]) => inWindow.has(id)));
}

function inProviderTokens(messages: readonly Message[], tally: Tally): number {
  return Math.ceil(tally.messages(messages) * tally.factor);
}

function describe(
  summary: string,
  round: number,
  division: Division,
  span: readonly Message[],
  behind: readonly Message[],
  { sessionId, clock }: CompactionContext,
  tally: Tally,
): Omit<CompactionEvent, "tokensBefore" | "masksBefore" | "withoutProse"> {
  const id = `${sessionId}/compaction-${round}`;
  const createdAt = clock.now();
  const own = span.filter((message) => message.isSummary !== true);
  return {
    id,
    sessionId,
    round,
    createdAt,
    tokensAfter: 0,
    summary,
    compactedMessageIds: division.replaced.flatMap((entry) => ("message" in entry ? [entry.message] : [])),
    standIns: makeStandIns({
      id,
      sessionId,
      createdAt,
      summary,
      messagesCompacted: span.length,
      originalTokens: tally.messages(span),
      isFirst: !division.hasTask,
      next: behind[0],
      native: findNative(behind) === undefined ? findNative(span) : undefined,
    }),
    replaced: division.before,
    keptAfter: division.kept.length,
    newest: own.slice(-NEAR_MISSES).map((message) => ({ messageId: message.id, tokens: tally.message(message) })),
  };
}

/** A summary and what stands around it are one entry: a boundary falls before or behind them. */
function divide(
  state: SessionState,
  sources: WindowSources,
  window: readonly Message[],
  request: CompactionRequest,
  tally: Tally,
): Division | undefined {
  const span = selectSpan(window, request.keep, tally.message);
  if (span === undefined) return undefined;
  /** The entry that each message belongs to, and the first message of each entry. */
  const owners: number[] = [];
  const firsts = state.entries.map((entry, index) => {
    const count = "event" in entry ? (sources.events.get(entry.event)?.standIns.length ?? 0) : 1;
    return owners.push(...new Array<number>(count).fill(index)) - count;
  });
  const tailStart = owners[span.tailStart] ?? state.entries.length;
  const indexOf = (message: number) => (message < 0 ? -1 : (owners[message] ?? -1));
  const task = indexOf(span.task);
  const said = indexOf(latestSpeech(window, request, tally));
  const isSystem = (index: number) => window[firsts[index] ?? -1]?.role === "system";
  const before = state.entries.slice(0, tailStart);
  const pick = (fits: (index: number) => boolean) => before.filter((_, index) => fits(index));
  const isHead = (index: number) => index === task || isSystem(index);
  const replaced = pick((index) => !isHead(index) && index !== said);
  if (replaced.length === 0) return undefined;
  const kept = pick((index) => index === said && !isHead(index));
  return { head: pick(isHead), hasTask: task >= 0, before, replaced, kept };
}

/**
 * What the first summary of a window says in prose: a model's words, or another agent's, where nothing came before it
 * that the ledger could have read.
 */
export function earlierProse(window: readonly Message[]): string {
  const at = window.findIndex((message) => message.isSummary === true);
  const summary = window[at];
  if (summary === undefined) return "";
  const { prose, record } = readSummary(textOf(summary));
  const before = window.slice(0, at).filter((message) => message.role !== "system");
  return record === undefined && before.length > 1 ? "" : prose;
}

/** What the user said last stands word for word too, where a tail is kept at all and it is not larger than that. */
function latestSpeech(window: readonly Message[], { keep, targetTokens }: CompactionRequest, tally: Tally): number {
  const index = window.findLastIndex(isSpeech);
  const message = window[index];
  const most = "messages" in keep ? targetTokens : keep.tokens;
  return message !== undefined && tally.message(message) <= most ? index : -1;
}

function ledgerRenderer(
  state: SessionState,
  { focus, words }: CompactionRequest,
  tally: Tally,
): (budget: number) => string {
  const count = rememberCounts(tally.text);
  return (budget) => renderLedger(state.ledger, omitUndefined({ budget, count, focus, words }));
}

function askForProse(
  span: readonly Message[],
  window: readonly Message[],
  round: number,
  state: SessionState,
  request: CompactionRequest,
  context: CompactionContext,
  tally: Tally,
): ReturnType<typeof trySummary> {
  const { model, profile, timeLimit } = context;
  if (model === undefined || request.withoutModel) return Promise.resolve({ failure: "there is no model" });
  const { focus, signal } = request;
  const ledger = ledgerRenderer(state, request, tally)(Math.floor(request.targetTokens / 2));
  const options: GenerateSummaryOptions = omitUndefined({ profile, ledger, focus, timeLimit, signal });
  const previous = span.find((message) => message.isSummary === true);
  const messages = filterMessagesForCompaction(span.filter((message) => message.isSummary !== true));
  // What the record says, the ledger says too.
  const prose = previous ? readSummary(textOf(previous)).prose : null;
  return trySummary(messages, prose, extractOriginalTask(window), round, model, options);
}
