import { isRecord, omitUndefined } from "../internal/json.ts";
import { memoizeByText } from "../internal/memoize.ts";
import { yieldToEventLoop } from "../internal/yield-to-event-loop.ts";
import type { RenderLedgerOptions } from "../ledger/render/note-writer.ts";
import { renderLedger } from "../ledger/render/render-ledger.ts";
import { type CriticalItem, criticalItems } from "../ledger/render/state-lines.ts";
import type { Message } from "../message/message.ts";
import { messageText } from "../message/message-text.ts";
import { handleOf } from "../message/part.ts";
import type { Clock } from "../ports/clock.ts";
import { cutLargeParts } from "../trim/cut-large-parts.ts";
import { MIN_PART_TOKENS } from "../trim/trim-window.ts";
import { composeSummary, readSummary, type SummaryParts, summaryMessages } from "./compose-summary.ts";
import {
  type CompactionLimits,
  compactionSizes,
  type DivisibleWindow,
  type Division,
  divideWindow,
} from "./divide-window.ts";
import { editedParts } from "./edited-parts.ts";
import type { CompactionPolicy } from "./policy.ts";
import type { SummaryProfile } from "./profiles.ts";
import { type GeneratedSummary, type GenerateSummaryOptions, trySummary } from "./prose/generate-summary.ts";
import type { AnyModel } from "./prose/model-adapter.ts";
import { extractOriginalTask, filterMessagesForCompaction, textOf } from "./select-messages.ts";
import type { CompactionEvent } from "./window.ts";

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
export interface CompactionInput extends DivisibleWindow {
  readonly deps: CompactionDeps;
  /** Tool outputs that were masked in the same turn, by part id. */
  readonly pruned?: { readonly masks: Readonly<Record<string, unknown>> } | undefined;
}

/**
 * A compaction that is planned and not stored yet. `event` is complete; its summary has no prose until {@link
 * addProse}.
 */
export interface PlannedCompaction {
  readonly event: CompactionEvent;
  /** The window after the compaction. */
  readonly window: readonly Message[];
  readonly draft: CompactionDraft;
}

/** Everything that is decided before the summary is written. */
export interface CompactionDraft extends CompactionInput {
  readonly division: Division;
  /** Position of the last message that the summary covers. */
  readonly upTo: number;
  readonly parts: Omit<SummaryParts, "prose" | "ledger">;
  /** Options for rendering the ledger into the summary. */
  readonly record: Omit<RenderLedgerOptions, "budget">;
  readonly maxTokens: number;
  readonly focus: string | undefined;
  readonly minSaving: number;
}

/** Maximum size of a summary without and with the user's own words, as shares of the messages that it replaces. */
const MAX_SHARES = { summary: 0.5, all: 0.85 } as const;
const MIN_SUMMARY_TOKENS = 120;
/** Number of compacted messages that receipts list as near misses. */
const MAX_NEAR_MISSES = 20;
const NO_MODEL: Prose = { failure: "there is no model" };

/** Prose by a model, or the reason why there is none. */
export type Prose = GeneratedSummary & {
  /** Position of the last message that the prose covers (default: all that the summary replaces). */
  readonly upTo?: number;
};

/**
 * Plans a compaction, with a summary that needs no model. Nothing is stored.
 *
 * @returns `undefined` if there is nothing to replace, no room for a summary, or too little to save.
 */
export async function planCompaction(
  input: CompactionInput,
  policy: CompactionPolicy,
  limits: CompactionLimits,
): Promise<PlannedCompaction | undefined> {
  const draft = draftCompaction(input, policy, limits);
  return draft && writeSummary(draft, NO_MODEL);
}

/** Selects the messages that a compaction keeps and replaces; `undefined` if there is nothing to replace. */
export function draftCompaction(
  input: CompactionInput,
  policy: CompactionPolicy,
  limits: CompactionLimits,
): CompactionDraft | undefined {
  const { state, counter, deps } = input;
  const { focus, reader, maxTokens = Number.POSITIVE_INFINITY } = limits;
  const sizes = compactionSizes(input, policy, limits);
  const division = divideWindow(input, sizes.tail, sizes.target);
  if (division === undefined) return undefined;
  const round = state.rounds + 1;
  const { style } = deps.profile;
  const upTo = state.ledger.messages - (state.entries.length - division.before.length);
  const { quotes: words, rules } = sizes;
  const shown = visibleText(input, division, maxTokens - sizes.target);
  const record = omitUndefined({
    count: memoizeByText(counter.text, Number.POSITIVE_INFINITY),
    focus,
    words,
    rules,
    style,
    reader,
    upTo,
    shown,
  });
  const freed = counter.messages(division.messages.compacted);
  const own = Math.max(MIN_SUMMARY_TOKENS, freed * MAX_SHARES.summary) + sizes.quotes + sizes.earlier.tokens;
  const worth = Math.floor(Math.min(own, Math.max(MIN_SUMMARY_TOKENS, freed * MAX_SHARES.all)));
  const parts: CompactionDraft["parts"] = {
    round,
    earlier: sizes.earlier,
    profile: deps.profile,
    ...(style && { style }),
    targetTokens: limits.targetTokens ?? Math.min(sizes.target, worth),
    count: counter.text,
    ...(limits.hasHistory ? { handle: `compaction-${round}` } : {}),
  };
  return { ...input, division, upTo, parts, record, focus, minSaving: policy.minSaving, maxTokens };
}

/** Text of the messages behind the summary. Parts that are too large for the window are cut, as the window will be. */
function visibleText(
  { counter }: CompactionInput,
  { messages: { head, behind } }: Division,
  maxTokens: number,
): string {
  const counts = { count: counter.text, tokensOf: counter.part, messageTokens: counter.message };
  const options = { ...counts, budget: maxTokens - counter.messages(head) };
  const visible = cutLargeParts(behind, [], options, MIN_PART_TOKENS)?.messages ?? [];
  return visible.map(messageText).join("\n");
}

/** Writes the summary and measures its effect; `undefined` if there is no room for it, or too little to save. */
async function writeSummary(draft: CompactionDraft, prose: Prose): Promise<PlannedCompaction | undefined> {
  const { state, window, counter, deps, division, parts, record, upTo, minSaving, pruned } = draft;
  const { upTo: proseUpTo = upTo } = prose;
  await yieldToEventLoop();
  // If there is prose, the narrative covers only the messages after it.
  const ledger: SummaryParts["ledger"] = (budget, narrative) => {
    const describedUpTo = narrative ? Number.NEGATIVE_INFINITY : proseUpTo;
    return renderLedger(state.ledger, { ...record, budget, describedUpTo, narrative: describedUpTo < upTo });
  };
  const summary = await composeSummary({ ...parts, ledger, prose: "text" in prose ? prose.text : undefined });
  await yieldToEventLoop();
  // An empty summary would lose the compacted messages without even naming a handle.
  if (summary === "") return undefined;
  const { round } = parts;
  const { sessionId, clock } = deps;
  const { head, compacted, behind } = division.messages;
  const made = { id: `${sessionId}/compaction-${round}`, sessionId, round, createdAt: clock.now(), summary };
  const sizes = { originalTokens: counter.messages(compacted), isFirst: !division.hasTask };
  const inserted = summaryMessages({ ...made, ...sizes, span: compacted, behind });
  const after = [...head, ...inserted, ...behind];
  const newest = compacted.filter((message) => message.isSummary !== true).slice(-MAX_NEAR_MISSES);
  const stay = new Set(editedParts(state).group);
  const event: CompactionEvent = {
    ...made,
    compactedMessageIds: division.compacted.flatMap((entry) =>
      "message" in entry && !stay.has(entry.message) ? [entry.message] : [],
    ),
    summaryMessages: inserted,
    replaced: division.before,
    keptAfter: division.kept.length,
    newest: newest.map((message) => ({ messageId: message.id, tokens: counter.message(message) })),
    ...("failure" in prose ? { withoutProse: prose.failure } : proseUpTo < upTo ? { proseUpTo } : {}),
    masksBefore: state.masks,
    ...(pruned && { maskedInTurn: Object.keys(pruned.masks) }),
    tokensBefore: Math.ceil(counter.messages(window) * counter.factor),
    tokensAfter: Math.ceil(counter.messages(after) * counter.factor),
  };
  const smaller = "failure" in prose ? withoutEarlier(draft, event) : undefined;
  if (smaller !== undefined) return writeSummary(smaller, prose);
  const { tokensBefore, tokensAfter } = event;
  const isSaving = tokensAfter < tokensBefore && tokensAfter <= tokensBefore * (1 - minSaving);
  return isSaving ? { event, window: after, draft } : undefined;
}

/** The draft without the prose of an earlier summary, if that makes the window too large; otherwise `undefined`. */
function withoutEarlier(draft: CompactionDraft, { tokensAfter }: CompactionEvent): CompactionDraft | undefined {
  const { parts, maxTokens, counter } = draft;
  const { tokens = 0 } = parts.earlier ?? {};
  if (tokens === 0 || tokensAfter <= maxTokens * counter.factor) return undefined;
  const targetTokens = parts.targetTokens - tokens;
  return { ...draft, parts: { ...parts, earlier: { text: "", tokens: 0 }, targetTokens } };
}

/**
 * Asks the model for prose and writes the summary again with it.
 *
 * @param model Default: the model of the plan. Without any, the plan is returned unchanged.
 * @throws the reason of the signal, if it was aborted.
 */
export async function addProse(
  planned: PlannedCompaction,
  signal?: AbortSignal,
  model = planned.draft.deps.model,
): Promise<PlannedCompaction> {
  if (model === undefined) return planned;
  const prose = await askForProse(planned.draft, model, signal);
  signal?.throwIfAborted();
  return withProse(planned, prose);
}

/** Asks a model to summarize the compacted messages. */
export function askForProse(draft: CompactionDraft, model: AnyModel, signal?: AbortSignal): Promise<GeneratedSummary> {
  const { state, division, window, parts, record, focus, upTo } = draft;
  const { profile, timeLimit } = draft.deps;
  const budget = Math.floor(parts.targetTokens / 2);
  const ledger = renderLedger(state.ledger, { ...record, budget, describedUpTo: upTo, narrative: false });
  const options: GenerateSummaryOptions = omitUndefined({ profile, ledger, focus, timeLimit, signal });
  const messages = filterMessagesForCompaction(
    division.messages.compacted.filter((message) => message.isSummary !== true),
  );
  return trySummary(messages, previousSummary(draft), extractOriginalTask(window), parts.round, model, options);
}

/**
 * Text of the previous summary for the model: its prose. Its record is in the ledger already, except for the narrative,
 * which replaces prose that is missing or does not cover everything.
 */
function previousSummary({ division, sources }: CompactionDraft): string | null {
  const previous = division.messages.compacted.find((message) => message.isSummary === true);
  if (previous === undefined) return null;
  const { prose, record = "" } = readSummary(textOf(previous));
  const events = division.compacted.flatMap((entry) =>
    "event" in entry ? (sources.events.get(entry.event) ?? []) : [],
  );
  const isWhole = prose !== "" && events.every(({ proseUpTo }) => proseUpTo === undefined);
  return isWhole ? prose : [prose, record].filter((text) => text !== "").join("\n\n");
}

/**
 * Writes the summary of a plan again with prose. The structure of the plan does not change. If there is no prose, or it
 * would take the saving, the summary stays without prose and the event has the reason.
 */
export async function withProse(planned: PlannedCompaction, prose: Prose): Promise<PlannedCompaction> {
  const without = (reason: string) => ({ ...planned, event: { ...planned.event, withoutProse: reason } });
  if ("failure" in prose) return without(prose.failure);
  return (await writeSummary(planned.draft, prose)) ?? without("it would leave too little of the saving");
}

/** Effect that a compaction would have. */
export interface CompactionPreview {
  /** Tokens of the messages now. */
  readonly tokensBefore: number;
  /** Tokens of the messages after the compaction. */
  readonly tokensAfter: number;
  /** Ids of the messages that the summary would replace. */
  readonly removed: readonly string[];
  /** Ids of the messages in the window afterwards, summary included. */
  readonly kept: readonly string[];
  /** Text of the summary, without prose by a model. */
  readonly summary: string;
  /** Open requests, rules, to-dos and changed files that would be neither in the summary nor in the tail. */
  readonly critical: readonly { readonly kind: string; readonly text: string }[];
  /** Tokens of the messages above which a turn compacts them automatically. */
  readonly threshold: number;
}

/** Describes a planned compaction without storing it. */
export function previewCompaction({ event, window, draft }: PlannedCompaction): Omit<CompactionPreview, "threshold"> {
  const isContained = windowContains(window);
  return {
    tokensBefore: event.tokensBefore,
    tokensAfter: event.tokensAfter,
    removed: event.compactedMessageIds,
    kept: window.map((message) => message.id),
    summary: event.summary,
    critical: criticalItems(draft.state.ledger).filter((item) => !isContained(item)),
  };
}

/** Two characters of one word. */
const WITHIN_WORD = /^[\p{L}\p{N}_]{2}$/u;

/** Returns a test for whether an item is in the window: verbatim in a text, as its original part, or by its handle. */
function windowContains(window: readonly Message[]): (item: CriticalItem) => boolean {
  const texts = textsIn(window.map(({ parts }) => parts));
  const handles = new Set(window.flatMap(({ parts }) => parts.map(({ id }) => handleOf(id))));
  const isInTexts = (words: string) => texts.some((text) => containsWords(text, words));
  return ({ text, handle }) => isInTexts(text) || (handle !== undefined && (handles.has(handle) || isInTexts(handle)));
}

/** Returns all strings inside a value. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (value instanceof Uint8Array) return [];
  return isRecord(value) ? Object.values(value).flatMap(textsIn) : [];
}

/** True if a text contains the words at word boundaries. */
function containsWords(text: string, words: string): boolean {
  const isInside = (at: number) => at > 0 && WITHIN_WORD.test(text.slice(at - 1, at + 1));
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    if (!isInside(at) && !isInside(at + words.length)) return true;
  }
  return false;
}
