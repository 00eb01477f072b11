import { findOriginalTask } from "../compact/original-task.ts";
import type { CompactionEvent } from "../compact/window.ts";
import type { IrreducibleContextError } from "../errors/irreducible-context-error.ts";
import { omitUndefined } from "../internal/json.ts";
import { oneLine } from "../internal/one-line.ts";
import type { LedgerConstraint } from "../ledger/ledger.ts";
import type { Message } from "../message/message.ts";
import type { Clock } from "../ports/clock.ts";
import { handleOf } from "../prune/mask-output.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import type { FittedWindow } from "../trim/fit-window.ts";
import type { Receipt, ReceiptItem, ReceiptRule, UserRulePlace } from "./receipt.ts";

/** Number of trimmed messages that a receipt lists. */
const MAX_NEAR_MISSES = 20;
/** Characters of a user's rule in a receipt. */
const MAX_RULE_CHARS = 120;

interface ReceiptDeps {
  readonly sessionId: string;
  readonly modelId: string;
  readonly clock: Clock;
}

export interface ReceiptInput {
  /** The window as it is sent. */
  readonly fitted: FittedWindow;
  /** The window before it was repaired and trimmed. */
  readonly window: readonly Message[];
  /** The user's rules. */
  readonly rules: readonly LedgerConstraint[];
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
  readonly budget: number;
  readonly counter: TokenCounter;
  readonly deps: ReceiptDeps;
}

/** Writes the receipt of a window. Its items add up to the total. */
export function writeReceipt(input: ReceiptInput): Omit<Receipt, "id"> {
  const { fitted, latest, overhead, recalled, deps, counter } = input;
  const { messages, repairs, dropped, cut, handles } = fitted;
  const { factor } = counter;
  const counted = counter.messages(messages) + overhead;
  const tokens = Math.ceil(counted * factor);
  const { block, note, tokens: memories = 0 } = recalled ?? {};
  const items = messageItems(input);
  const userRules = placeRules(input.rules, items, messages, new Set(cut));
  const trimmed = dropped.slice(-MAX_NEAR_MISSES).map((one) => ({ messageId: one.id, tokens: counter.message(one) }));
  const system: ReceiptItem[] = [{ rule: "system", role: "system", tokens: overhead - memories, messageId: "system" }];
  if (block !== undefined) {
    const { sources, reasons } = block;
    system.push(
      omitUndefined({ rule: "memory", role: "system", tokens: memories, messageId: "memory", sources, reasons }),
    );
  }
  return {
    sessionId: deps.sessionId,
    createdAt: deps.clock.now(),
    modelId: deps.modelId,
    budget: input.budget,
    tokens,
    counted,
    items: inProviderTokens([...system, ...items], factor, tokens),
    nearMisses: [
      ...(latest?.newest ?? []).map((one) => ({ ...one, reason: "compacted" as const })),
      ...trimmed.map((one) => ({ ...one, reason: "trimmed" as const })),
    ],
    ...(userRules.length === 0 ? {} : { userRules }),
    handles,
    repairs,
    notes: [
      ...(factor === 1 ? [] : [`Counts are multiplied by ${factor.toFixed(3)} for ${deps.modelId}.`]),
      ...(note === undefined ? [] : [note]),
    ],
  };
}

/** The items of the messages, each with the rule that put it into the window. */
function messageItems({ fitted, window, latest, counter, sourcesOf }: ReceiptInput): readonly ReceiptItem[] {
  const shortened = new Set(fitted.cut);
  const task = window[findOriginalTask(window)]?.id;
  const known = new Set(window.map((message) => message.id));
  const standIns = new Map(latest?.standIns.map((message) => [message.id, message]));
  const ruleOf = ({ id, role }: Message, sources: readonly string[]): ReceiptRule => {
    if (role === "system") return "system";
    if (task !== undefined && sources.includes(task)) return "task";
    const standIn = standIns.get(id);
    if (standIn !== undefined) return standIn.isSummary === true ? "summary" : "continuation";
    // Messages that were not there before the repair come from it.
    return known.has(id) ? "tail" : "repair";
  };
  return fitted.messages.map((message) => {
    const own = sourcesOf([message]);
    const rule = ruleOf(message, own);
    const sources = rule === "summary" ? [...(latest?.compactedMessageIds ?? []), ...own] : own;
    const parts = message.parts.filter(
      (part) => shortened.has(part.id) || (part.type === "tool-result" && part.compactedAt !== undefined),
    );
    return {
      rule,
      role: message.role,
      tokens: counter.message(message),
      messageId: message.id,
      ...(rule === "summary" || own.length > 1 ? { sources } : {}),
      ...(parts.length === 0 ? {} : { shortened: parts.map((part) => part.id) }),
    };
  });
}

/** Writes the receipt of a turn that could not be prepared: an empty window, and the reason. */
export function failedReceipt(error: IrreducibleContextError, deps: ReceiptDeps): Omit<Receipt, "id"> {
  return {
    sessionId: deps.sessionId,
    createdAt: deps.clock.now(),
    modelId: deps.modelId,
    budget: error.budget,
    tokens: 0,
    counted: 0,
    items: [],
    nearMisses: [],
    handles: [],
    repairs: [],
    notes: [error.summary],
  };
}

/** Converts to provider tokens, rounded so that the items add up to the total. */
function inProviderTokens(items: readonly ReceiptItem[], factor: number, total: number): ReceiptItem[] {
  let own = 0;
  let assigned = 0;
  return items.map((item, index) => {
    own += item.tokens;
    const upTo = index === items.length - 1 ? total : Math.round(own * factor);
    const tokens = upTo - assigned;
    assigned = upTo;
    return { ...item, tokens };
  });
}

/**
 * Finds the place of each of the user's rules in a window: the summary, or else the message in which the user said it.
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
