import type { EditedParts } from "../compact/edited-parts.ts";
import { findOriginalTask } from "../compact/select-messages.ts";
import type { CompactionEvent } from "../compact/window.ts";
import type { IrreducibleContextError } from "../errors/session-errors.ts";
import { omitUndefined } from "../internal/json.ts";
import { oneLine } from "../internal/text.ts";
import type { LedgerConstraint } from "../ledger/ledger.ts";
import type { Message } from "../message/message.ts";
import { handleOf, type Part } from "../message/part.ts";
import type { Clock } from "../ports/clock.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import type { FittedWindow } from "../trim/fit-window.ts";
import type { ReceiptDraft, ReceiptItem, ReceiptRule, UserRulePlace } from "./receipt.ts";

/** Number of trimmed messages that a receipt lists. */
const MAX_NEAR_MISSES = 20;
/** Characters of a user's rule in a receipt. */
const MAX_RULE_CHARS = 120;

interface ReceiptDeps {
  readonly modelId: string;
  /** Context window of the model, in tokens. */
  readonly contextLimit: number;
  readonly clock: Clock;
}

export interface ReceiptInput {
  /** The window as it is sent. */
  readonly fitted: FittedWindow;
  /** The window before it was repaired and trimmed. */
  readonly window: readonly Message[];
  /** The user's rules. */
  readonly rules: readonly LedgerConstraint[];
  /** Pins and masks by hand. */
  readonly edited?: EditedParts;
  /** The latest compaction in the window. */
  readonly latest: CompactionEvent | undefined;
  /** Ids of the appended messages that messages of the sent window consist of. */
  readonly sourcesOf: (messages: readonly Message[]) => readonly string[];
  /** Counted tokens of the request without its messages. */
  readonly overhead: number;
  /** Memories in the system prompt; their tokens are part of the overhead. */
  readonly recalled:
    | {
        readonly block?: Pick<ReceiptItem, "reasons"> & { readonly sources: readonly string[] };
        readonly tokens: number;
        readonly note?: string;
      }
    | undefined;
  /** Why a compaction that is due did not run. */
  readonly paused?: string;
  readonly budget: number;
  readonly counter: TokenCounter;
  readonly deps: ReceiptDeps;
}

/** Writes the receipt of a window. Its items add up to the total. */
export function writeReceipt(input: ReceiptInput): ReceiptDraft {
  const { fitted, latest, overhead, recalled, deps, counter, budget, paused } = input;
  const { messages, repairs, dropped, cut } = fitted;
  const { factor } = counter;
  const { block, note, tokens: memories = 0 } = recalled ?? {};
  const items = messageItems(input);
  const userRules = placeRules(input.rules, items, messages, new Set(cut));
  const system: ReceiptItem[] = [{ rule: "system", role: "system", tokens: overhead - memories, messageId: "system" }];
  if (block !== undefined) {
    const { sources, reasons } = block;
    system.push(
      omitUndefined({ rule: "memory", role: "system", tokens: memories, messageId: "memory", sources, reasons }),
    );
  }
  const record = {
    modelId: deps.modelId,
    budget,
    counted: counter.messages(messages) + overhead,
    factor,
    ...(latest === undefined ? {} : { compaction: latest.id }),
    items: [...system, ...items],
    trimmed: dropped.slice(-MAX_NEAR_MISSES).map((one) => ({ messageId: one.id, tokens: counter.message(one) })),
    ...(userRules.length === 0 ? {} : { userRules }),
    handles: [...fitted.handles, ...cutHandles(input)],
    repairs,
    notes: [
      ...(paused === undefined ? [] : [paused]),
      ...(budget <= deps.contextLimit ? [] : [budgetNote(budget, deps)]),
      ...(factor === 1 ? [] : [`Counts are multiplied by ${factor.toFixed(3)} for ${deps.modelId}.`]),
      ...(note === undefined ? [] : [note]),
    ],
  };
  return { createdAt: deps.clock.now(), record, latest };
}

function budgetNote(budget: number, { modelId, contextLimit }: ReceiptDeps): string {
  const [asked, limit] = [budget, contextLimit].map((tokens) => tokens.toLocaleString("en-US"));
  return `The budget of ${asked} tokens is larger than the context window of ${modelId}: ${limit} tokens.`;
}

/** Handles of the parts that were cut, in the order of the window. Those of a summary are not in the history. */
function cutHandles({ fitted, window, latest }: ReceiptInput): readonly string[] {
  if (fitted.cut.length === 0) return [];
  const cut = new Set(fitted.cut);
  const summaryMessages = new Set(latest?.summaryMessages.map(({ id }) => id));
  const own = window.filter(({ id }) => !summaryMessages.has(id)).flatMap(({ parts }) => parts);
  return own.filter(({ id }) => cut.has(id)).map(({ id }) => handleOf(id));
}

/** The items of the messages, each with the rule that put it into the window. */
function messageItems(input: ReceiptInput): readonly ReceiptItem[] {
  const { fitted, window, latest, counter, sourcesOf, edited } = input;
  const shortened = new Set([...fitted.cut, ...(edited?.masked.keys() ?? [])]);
  const isCut = (part: Part) =>
    shortened.has(part.id) || (part.type === "tool-result" && part.compactedAt !== undefined);
  const pinned = new Set(edited?.group);
  const isShortened = ({ parts }: Message) => parts.some(isCut);
  const task = window[findOriginalTask(window)]?.id;
  let ids: ReadonlySet<string> | undefined;
  const known = () => (ids ??= new Set(window.map((message) => message.id)));
  const summaryMessages = new Map(latest?.summaryMessages.map((message) => [message.id, message]));
  const ruleOf = ({ id, role }: Message, sources: readonly string[], isUnchanged: boolean): ReceiptRule => {
    if (role === "system") return "system";
    if (task !== undefined && sources.includes(task)) return "task";
    const inserted = summaryMessages.get(id);
    if (inserted !== undefined) return inserted.isSummary === true ? "summary" : "continuation";
    if (pinned.has(id)) return "pin";
    // Messages that were not there before the repair come from it.
    return isUnchanged || known().has(id) ? "tail" : "repair";
  };
  let next = 0;
  return fitted.messages.map((message) => {
    // A message that is sent as it is has no other source. Both lists are in the same order.
    const isUnchanged = window[next] === message && message.parts.length > 0 && !summaryMessages.has(message.id);
    const sources = isUnchanged ? [message.id] : sourcesOf([message]);
    next += 1;
    const rule = ruleOf(message, sources, isUnchanged);
    if (rule === "tail" && isUnchanged && !isShortened(message)) return tailItem(message, counter);
    const parts = message.parts.filter(isCut);
    return {
      rule,
      role: message.role,
      tokens: counter.message(message),
      messageId: message.id,
      // The tokens of a summary are in addition to the compacted messages.
      ...(sources.length > (rule === "summary" ? 0 : 1) ? { sources } : {}),
      ...(parts.length === 0 ? {} : { shortened: parts.map((part) => part.id) }),
    };
  });
}

/** Cache: items of messages that are sent as they are. */
const tailItems = new WeakMap<Message, ReceiptItem>();

function tailItem(message: Message, counter: TokenCounter): ReceiptItem {
  const tokens = counter.message(message);
  const known = tailItems.get(message);
  if (known?.tokens === tokens) return known;
  const item: ReceiptItem = { rule: "tail", role: message.role, tokens, messageId: message.id };
  tailItems.set(message, item);
  return item;
}

/** Writes the receipt of a turn that could not be prepared: an empty window, and the reason. */
export function failedReceipt(
  { budget, summary }: IrreducibleContextError,
  { modelId, clock }: ReceiptDeps,
): ReceiptDraft {
  const lists = { items: [], trimmed: [], handles: [], repairs: [] };
  const record = { modelId, budget, counted: 0, factor: 1, ...lists, notes: [summary] };
  return { createdAt: clock.now(), record, latest: undefined };
}

/**
 * Finds the place of each of the user's rules in a window: the summary, or else the user's message.
 *
 * @param items receipt items of the messages, in the same order
 * @param shortened ids of parts that were cut
 */
function placeRules(
  rules: readonly LedgerConstraint[],
  items: readonly ReceiptItem[],
  messages: readonly Message[],
  shortened: ReadonlySet<string>,
): readonly UserRulePlace[] {
  if (rules.length === 0) return [];
  const owners = new Map<string, ReceiptItem>();
  const summaries: { readonly item: ReceiptItem; readonly lines: string }[] = [];
  for (const [index, { parts }] of messages.entries()) {
    const item = items[index];
    if (item === undefined) continue;
    for (const part of parts) {
      if (part.type === "compaction-marker") summaries.push({ item, lines: part.summary });
      else if (!shortened.has(part.id)) owners.set(part.id, item);
    }
  }
  return rules.map(({ text, part }) => {
    const inSummary = summaries.find(({ lines }) => lines.includes(text))?.item;
    const item = inSummary ?? (part === undefined ? undefined : owners.get(part));
    const handle = part === undefined ? undefined : handleOf(part);
    return omitUndefined({ text: oneLine(text, MAX_RULE_CHARS), rule: item?.rule, messageId: item?.messageId, handle });
  });
}
