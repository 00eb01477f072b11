import { composeSummary } from "../compact/compose-summary.ts";
import { type GenerateSummaryOptions, trySummary } from "../compact/generate-summary.ts";
import { extractOriginalTask, textOf } from "../compact/original-task.ts";
import { filterMessagesForCompaction, isSummaryMessage, selectSpan } from "../compact/select-messages.ts";
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
  /** The entry of the original task, which stays. */
  readonly task: Entry | undefined;
  readonly replaced: readonly Entry[];
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
  const { task, replaced, tail } = division;
  const span = open(replaced);
  const round = state.rounds + 1;
  const id = `${context.sessionId}/compaction-${round}`;
  const prose = await askForProse(span, window, round, state, request, context, tally);
  const summary = composeSummary({
    round,
    prose: "text" in prose ? prose.text : undefined,
    ledger: ledgerRenderer(state, request, tally),
    messages: span.filter((message) => !isSummaryMessage(message)),
    targetTokens: request.targetTokens,
    count: tally.text,
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
      isFirst: task === undefined,
      next: open(tail)[0],
    }),
    replaced,
    masksBefore: state.masks,
  };
  const entries: Entry[] = [...(task === undefined ? [] : [task]), { event: id }, ...tail];
  const after: SessionState = { ...state, entries, rounds: round, appendedAtCompaction: state.appended };
  const events = new Map(sources.events).set(id, event);
  return { event: { ...event, tokensAfter: tally.messages(materialize(after, { ...sources, events })) }, state: after };
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
  const task = span.task < 0 ? -1 : (owners[span.task] ?? -1);
  const replaced = state.entries.filter((_, index) => index < tailStart && index !== task);
  return replaced.length === 0
    ? undefined
    : { task: state.entries[task], replaced, tail: state.entries.slice(tailStart) };
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
  const previous = span.find(isSummaryMessage);
  const messages = filterMessagesForCompaction(span.filter((message) => !isSummaryMessage(message)));
  return trySummary(messages, previous ? textOf(previous) : null, extractOriginalTask(window), round, model, options);
}
