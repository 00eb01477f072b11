import { omitUndefined } from "../internal/json.ts";
import { yieldToEventLoop } from "../internal/yield-to-event-loop.ts";
import { rememberCounts, renderLedger } from "../ledger/render-ledger.ts";
import type { Message } from "../message/message.ts";
import type { Clock } from "../ports/clock.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import { type CompactionLimits, earlierProse, type SummarySizes, summarySizes, tailRule } from "./compaction-sizes.ts";
import { composeSummary } from "./compose-summary.ts";
import { type Division, divideWindow } from "./divide-window.ts";
import { type GeneratedSummary, type GenerateSummaryOptions, trySummary } from "./generate-summary.ts";
import { extractOriginalTask, textOf } from "./original-task.ts";
import type { CompactionPolicy } from "./policy.ts";
import type { SummaryProfile } from "./profiles/profile.ts";
import { readSummary } from "./read-summary.ts";
import { filterMessagesForCompaction } from "./select-messages.ts";
import { findNativeCompaction, summaryMessages } from "./summary-messages.ts";
import type { AnyModel } from "./to-model.ts";
import { type CompactionEvent, type Entry, materialize, type WindowSources, type WindowState } from "./window.ts";

/** Ports and settings that a compaction needs. */
export interface CompactionDeps {
  readonly sessionId: string;
  readonly clock: Clock;
  /** Writes the prose of the summary. Without a model the summary is the ledger and an extract. */
  readonly model: AnyModel | undefined;
  readonly profile: SummaryProfile;
  /** Timeout for the model, in milliseconds. */
  readonly timeLimit: number | undefined;
}

/** The window to compact. */
export interface CompactionInput {
  readonly state: WindowState;
  readonly sources: WindowSources;
  readonly counter: TokenCounter;
  readonly deps: CompactionDeps;
}

/** A compaction that is planned and not applied yet. `event` is complete; its summary has no prose until {@link addProse}. */
export interface PlannedCompaction {
  readonly event: CompactionEvent;
  readonly division: Division;
  readonly draft: Draft;
}

/** Everything that is decided before the summary is written. */
interface Draft extends CompactionInput {
  readonly round: number;
  readonly window: readonly Message[];
  readonly division: Division;
  /** Messages that the summary replaces, and those that follow it. */
  readonly span: readonly Message[];
  readonly behind: readonly Message[];
  readonly sizes: SummarySizes;
  readonly limits: CompactionLimits;
}

/** Number of compacted messages that receipts list as near misses. */
const MAX_NEAR_MISSES = 20;
const NO_MODEL: GeneratedSummary = { failure: "there is no model" };

/**
 * Plans a compaction: what stays, what is replaced, and the summary without prose. Nothing is stored.
 *
 * @returns `undefined` if there is nothing to replace, or no room for a summary.
 */
export async function planCompaction(
  input: CompactionInput,
  policy: CompactionPolicy,
  limits: CompactionLimits,
): Promise<PlannedCompaction | undefined> {
  const { state, sources, counter } = input;
  const window = materialize(state, sources);
  const sizes = summarySizes(state, window, counter, policy, limits);
  const division = divideWindow(state, sources, window, tailRule(policy, limits), sizes.target, counter);
  if (division === undefined) return undefined;
  const messagesOf = (entries: readonly Entry[]) => materialize({ ...state, entries }, sources);
  const draft: Draft = {
    ...input,
    round: state.rounds + 1,
    window,
    division,
    span: messagesOf(division.replaced),
    behind: messagesOf([...division.kept, ...state.entries.slice(division.before.length)]),
    sizes,
    limits,
  };
  const planned = await compose(draft, NO_MODEL);
  const { maxTokens = Number.POSITIVE_INFINITY } = limits;
  const fits = planned === undefined || planned.event.tokensAfter <= maxTokens * counter.factor;
  if (fits || sizes.earlier === 0) return planned;
  const smaller = { target: sizes.target - sizes.earlier, quotes: sizes.quotes, earlier: 0 };
  return compose({ ...draft, sizes: smaller }, NO_MODEL);
}

/**
 * Asks the model for prose and writes the summary again with it. The structure of the plan does not change. If the model
 * fails, or its prose would take the saving, the summary stays without prose and the event says why.
 *
 * @throws the reason of the signal, if it was aborted.
 */
export async function addProse(
  planned: PlannedCompaction,
  minSaving: number | undefined,
  signal?: AbortSignal,
): Promise<PlannedCompaction> {
  const { draft, event } = planned;
  if (draft.deps.model === undefined) return planned;
  const prose = await askForProse(draft, draft.deps.model, signal);
  signal?.throwIfAborted();
  const told = await compose(draft, prose);
  if (told !== undefined && saves(told, minSaving)) return told;
  return { ...planned, event: { ...event, withoutProse: "it would leave too little of the saving" } };
}

/** Whether a compaction saves at least this share of the window, and anything at all. */
export function saves({ event }: PlannedCompaction, minSaving: number | undefined): boolean {
  if (minSaving === undefined) return true;
  return event.tokensAfter < event.tokensBefore && event.tokensAfter <= event.tokensBefore * (1 - minSaving);
}

/**
 * Applies a planned compaction. The state may have changed since, as long as everything before the tail is the same:
 * newer messages stay behind the tail.
 *
 * @returns `undefined` if the plan no longer matches the state.
 */
export function applyCompaction<S extends WindowState>(
  { event, division }: Pick<PlannedCompaction, "event" | "division">,
  state: S,
  messages: WindowSources["messages"],
): S | undefined {
  const { head, before, kept } = division;
  const isUnchanged = before.every((entry, index) => isSame(entry, state.entries[index]));
  if (!isUnchanged || state.rounds + 1 !== event.round) return undefined;
  const entries: Entry[] = [...head, { event: event.id }, ...kept, ...state.entries.slice(before.length)];
  return {
    ...state,
    entries,
    masks: masksIn(entries, state, messages),
    rounds: event.round,
    appendedAtCompaction: state.appended,
  };
}

function isSame(a: Entry, b: Entry | undefined): boolean {
  if (b === undefined) return false;
  return "message" in a ? "message" in b && a.message === b.message : "event" in b && a.event === b.event;
}

/** Masks of messages that are still in the window. The event keeps the others. */
function masksIn(
  entries: readonly Entry[],
  { masks }: WindowState,
  messages: WindowSources["messages"],
): WindowState["masks"] {
  const parts = entries.flatMap((entry) => ("message" in entry ? (messages.get(entry.message)?.parts ?? []) : []));
  const inWindow = new Set(parts.map(({ id }) => id));
  return Object.fromEntries(Object.entries(masks).filter(([id]) => inWindow.has(id)));
}

/** Writes the summary and measures its effect; `undefined` if there is no room for a summary. */
async function compose(draft: Draft, prose: GeneratedSummary): Promise<PlannedCompaction | undefined> {
  const { state, sources, counter, deps, round, window, division, span, sizes, limits } = draft;
  await yieldToEventLoop();
  const summary = await composeSummary({
    round,
    prose: "text" in prose ? prose.text : undefined,
    earlier: { text: earlierProse(window), tokens: sizes.earlier },
    profile: deps.profile,
    ledger: ledgerRenderer(draft),
    messages: span.filter((message) => message.isSummary !== true),
    targetTokens: sizes.target,
    count: counter.text,
    ...(limits.hasHistory ? { handle: `compaction-${round}` } : {}),
  });
  await yieldToEventLoop();
  // An empty summary would lose the compacted messages without even naming a handle.
  if (summary === "") return undefined;
  const event: CompactionEvent = {
    ...describe(summary, draft),
    ...("failure" in prose ? { withoutProse: prose.failure } : {}),
    masksBefore: state.masks,
    tokensBefore: providerTokens(window, counter),
  };
  const after = applyCompaction({ event, division }, state, sources.messages);
  const events = new Map(sources.events).set(event.id, event);
  const tokensAfter = after === undefined ? 0 : providerTokens(materialize(after, { ...sources, events }), counter);
  return { event: { ...event, tokensAfter }, division, draft };
}

function providerTokens(messages: readonly Message[], counter: TokenCounter): number {
  return Math.ceil(counter.messages(messages) * counter.factor);
}

function describe(
  summary: string,
  { deps, round, division, span, behind, counter }: Draft,
): Omit<CompactionEvent, "tokensBefore" | "masksBefore" | "withoutProse"> {
  const { sessionId } = deps;
  const id = `${sessionId}/compaction-${round}`;
  const createdAt = deps.clock.now();
  const own = span.filter((message) => message.isSummary !== true);
  return {
    id,
    sessionId,
    round,
    createdAt,
    tokensAfter: 0,
    summary,
    compactedMessageIds: division.replaced.flatMap((entry) => ("message" in entry ? [entry.message] : [])),
    standIns: summaryMessages({
      id,
      sessionId,
      createdAt,
      summary,
      messagesCompacted: span.length,
      originalTokens: counter.messages(span),
      isFirst: !division.hasTask,
      next: behind[0],
      native: findNativeCompaction(behind) === undefined ? findNativeCompaction(span) : undefined,
    }),
    replaced: division.before,
    keptAfter: division.kept.length,
    newest: own.slice(-MAX_NEAR_MISSES).map((message) => ({ messageId: message.id, tokens: counter.message(message) })),
  };
}

function ledgerRenderer({ state, sizes, limits, counter }: Draft): (budget: number) => string {
  const count = rememberCounts(counter.text);
  return (budget) =>
    renderLedger(state.ledger, omitUndefined({ budget, count, focus: limits.focus, words: sizes.quotes }));
}

function askForProse(draft: Draft, model: AnyModel, signal: AbortSignal | undefined): Promise<GeneratedSummary> {
  const { span, window, round, sizes, limits, deps } = draft;
  const { profile, timeLimit } = deps;
  const ledger = ledgerRenderer(draft)(Math.floor(sizes.target / 2));
  const options: GenerateSummaryOptions = omitUndefined({ profile, ledger, focus: limits.focus, timeLimit, signal });
  const previous = span.find((message) => message.isSummary === true);
  const messages = filterMessagesForCompaction(span.filter((message) => message.isSummary !== true));
  // The record of the previous summary is in the ledger already.
  const prose = previous ? readSummary(textOf(previous)).prose : null;
  return trySummary(messages, prose, extractOriginalTask(window), round, model, options);
}
