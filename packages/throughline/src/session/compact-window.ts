import { composeSummary } from "../compact/compose-summary.ts";
import { type GenerateSummaryOptions, trySummary } from "../compact/generate-summary.ts";
import { extractOriginalTask, isSpeech, textOf } from "../compact/original-task.ts";
import { filterMessagesForCompaction, selectSpan } from "../compact/select-messages.ts";
import { renderLedger } from "../ledger/render-ledger.ts";
import type { Message } from "../message/message.ts";
import { omitUndefined } from "../message/read-json.ts";
import { makeStandIns } from "./make-stand-ins.ts";
import type { SessionContext, Tally } from "./session-context.ts";
import type { CompactionEvent, Entry, SessionState } from "./session-state.ts";
import { materialize, type WindowSources } from "./window.ts";

export interface CompactionRequest {
  /** Tokens for the summary, ledger included. */
  readonly targetTokens: number;
  /** Tokens for the tail that stays as it is; 0 for none. */
  readonly keepTokens: number;
  readonly focus?: string;
  readonly signal?: AbortSignal;
  /** Without asking the model: for a preview. */
  readonly withoutModel?: boolean;
}

export interface PlannedCompaction {
  readonly event: CompactionEvent;
  readonly state: SessionState;
}

interface Division {
  /** System messages and the original task, which stay in front of the summary. */
  readonly head: readonly Entry[];
  readonly hasTask: boolean;
  /** All up to the tail, in order. */
  readonly before: readonly Entry[];
  readonly replaced: readonly Entry[];
  /** How many of them stay behind the summary. */
  readonly keptAfter: number;
  /** What the user said last, where the tail does not hold it, and the tail. */
  readonly tail: readonly Entry[];
}

/**
 * What a compaction would make of a window: the event and the state after it. Nothing is stored here.
 *
 * @returns `undefined` where there is nothing to replace.
 */
export async function planCompaction(
  state: SessionState,
  sources: WindowSources,
  request: CompactionRequest,
  context: SessionContext,
  tally: Tally,
): Promise<PlannedCompaction | undefined> {
  const window = materialize(state, sources);
  const division = divide(state, sources, window, request.keepTokens, tally);
  if (division === undefined) return undefined;
  const open = (entries: readonly Entry[]) => materialize({ ...state, entries }, sources);
  const { head, hasTask, before, replaced, keptAfter, tail } = division;
  const span = open(replaced);
  const round = state.rounds + 1;
  const id = `${context.sessionId}/compaction-${round}`;
  const prose = await askForProse(span, window, round, state, request, context, tally);
  const summary = composeSummary({
    round,
    prose: "text" in prose ? prose.text : undefined,
    ledger: ledgerRenderer(state, request, tally),
    messages: span.filter((message) => message.isSummary !== true),
    targetTokens: request.targetTokens,
    count: tally.text,
    handle: `compaction-${round}`,
  });
  const createdAt = context.clock.now();
  const event: CompactionEvent = {
    id,
    sessionId: context.sessionId,
    round,
    createdAt,
    tokensBefore: tally.messages(window),
    tokensAfter: 0,
    summary,
    compactedMessageIds: replaced.flatMap((entry) => ("message" in entry ? [entry.message] : [])),
    ...("failure" in prose ? { withoutProse: prose.failure } : {}),
    standIns: makeStandIns({
      id,
      sessionId: context.sessionId,
      createdAt,
      summary,
      messagesCompacted: span.length,
      originalTokens: tally.messages(span),
      isFirst: !hasTask,
      next: open(tail)[0],
    }),
    replaced: before,
    keptAfter,
    masksBefore: state.masks,
  };
  const entries: Entry[] = [...head, { event: id }, ...tail];
  const after: SessionState = {
    ...state,
    entries,
    masks: masksIn(state, open([...head, ...tail])),
    rounds: round,
    appendedAtCompaction: state.appended,
  };
  const events = new Map(sources.events).set(id, event);
  return { event: { ...event, tokensAfter: tally.messages(materialize(after, { ...sources, events })) }, state: after };
}

/** The masks of what is still in the window; the others are kept with what they are in. */
function masksIn({ masks }: SessionState, messages: readonly Message[]): SessionState["masks"] {
  const parts = messages.flatMap((message) => message.parts.map((part) => part.id));
  return Object.fromEntries(parts.flatMap((id) => (masks[id] === undefined ? [] : [[id, masks[id]]])));
}

/** A summary and what stands around it are one entry: a boundary falls before or behind them. */
function divide(
  state: SessionState,
  sources: WindowSources,
  window: readonly Message[],
  keepTokens: number,
  tally: Tally,
): Division | undefined {
  const span = selectSpan(window, keepTokens, tally.message);
  if (span === undefined) return undefined;
  const owners = state.entries.flatMap((entry, index) => {
    const count = "event" in entry ? (sources.events.get(entry.event)?.standIns.length ?? 0) : 1;
    return new Array<number>(count).fill(index);
  });
  const tailStart = owners[span.tailStart] ?? state.entries.length;
  const indexOf = (message: number) => (message < 0 ? -1 : (owners[message] ?? -1));
  const task = indexOf(span.task);
  const said = indexOf(latestSpeech(window, keepTokens, tally));
  const isSystem = (index: number) => window[owners.indexOf(index)]?.role === "system";
  const before = state.entries.map((entry, index) => ({ entry, index })).slice(0, tailStart);
  const pick = (fits: (index: number) => boolean) =>
    before.filter(({ index }) => fits(index)).map(({ entry }) => entry);
  const isHead = (index: number) => index === task || isSystem(index);
  const replaced = pick((index) => !isHead(index) && index !== said);
  if (replaced.length === 0) return undefined;
  const kept = pick((index) => index === said && !isHead(index));
  return {
    head: pick(isHead),
    hasTask: task >= 0,
    before: state.entries.slice(0, tailStart),
    replaced,
    keptAfter: kept.length,
    tail: [...kept, ...state.entries.slice(tailStart)],
  };
}

/** What the user said last stands word for word too, where a tail is kept at all and it is not larger than that. */
function latestSpeech(window: readonly Message[], keepTokens: number, tally: Tally): number {
  const index = window.findLastIndex(isSpeech);
  const message = window[index];
  return message !== undefined && tally.message(message) <= keepTokens ? index : -1;
}

function ledgerRenderer(state: SessionState, { focus }: CompactionRequest, tally: Tally): (budget: number) => string {
  return (budget) => renderLedger(state.ledger, omitUndefined({ budget, count: tally.text, focus }));
}

function askForProse(
  span: readonly Message[],
  window: readonly Message[],
  round: number,
  state: SessionState,
  request: CompactionRequest,
  context: SessionContext,
  tally: Tally,
): ReturnType<typeof trySummary> {
  const { model, profile, timeLimit } = context;
  if (model === undefined || request.withoutModel) return Promise.resolve({ failure: "there is no model" });
  const { focus, signal } = request;
  const ledger = ledgerRenderer(state, request, tally)(Math.floor(request.targetTokens / 2));
  const options: GenerateSummaryOptions = omitUndefined({ profile, ledger, focus, timeLimit, signal });
  const previous = span.find((message) => message.isSummary === true);
  const messages = filterMessagesForCompaction(span.filter((message) => message.isSummary !== true));
  return trySummary(messages, previous ? textOf(previous) : null, extractOriginalTask(window), round, model, options);
}
