import { findOriginalTask } from "../compact/original-task.ts";
import type { CompactionEvent, LeftOut } from "../compact/window.ts";
import type { IrreducibleContextError } from "../errors/irreducible-context-error.ts";
import type { LedgerConstraint } from "../ledger/ledger.ts";
import type { Message } from "../message/message.ts";
import type { Clock } from "../ports/clock.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import type { FittedWindow } from "../trim/fit-window.ts";
import { placeRules } from "./place-rules.ts";
import type { NearMiss, Receipt, ReceiptItem, ReceiptRule } from "./receipt.ts";

/** Number of trimmed messages that a receipt lists. */
const MAX_NEAR_MISSES = 20;

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
  const { fitted, latest, overhead, deps, counter, sourcesOf } = input;
  const { messages, repairs, dropped, cut, handles } = fitted;
  const counted = counter.messages(messages) + overhead;
  const tokens = Math.ceil(counted * counter.factor);
  const shortened = new Set(cut);
  const ruleOf = rulesFor(input);
  const items: ReceiptItem[] = messages.map((message) => {
    const parts = message.parts.filter((part) => shortened.has(part.id) || isMasked(part));
    const own = sourcesOf([message]);
    const rule = ruleOf(message, own);
    const sources = rule === "summary" ? [...(latest?.compactedMessageIds ?? []), ...own] : own;
    return {
      rule,
      role: message.role,
      tokens: counter.message(message),
      messageId: message.id,
      ...(rule === "summary" || own.length > 1 ? { sources } : {}),
      ...(parts.length === 0 ? {} : { shortened: parts.map((part) => part.id) }),
    };
  });
  const userRules = placeRules(input.rules, items, messages, shortened);
  const head = systemItems(input);
  const trimmed = dropped.slice(-MAX_NEAR_MISSES).map((one) => ({ messageId: one.id, tokens: counter.message(one) }));
  return {
    sessionId: deps.sessionId,
    createdAt: deps.clock.now(),
    modelId: deps.modelId,
    budget: input.budget,
    tokens,
    counted,
    items: inProviderTokens([...head, ...items], counter.factor, tokens),
    nearMisses: [...because("compacted", latest?.newest ?? []), ...because("trimmed", trimmed)],
    ...(userRules.length === 0 ? {} : { userRules }),
    handles,
    repairs,
    notes: [
      ...(counter.factor === 1 ? [] : [`Counts are multiplied by ${counter.factor.toFixed(3)} for ${deps.modelId}.`]),
      ...(input.recalled?.note === undefined ? [] : [input.recalled.note]),
    ],
  };
}

/** Items for the system prompt and for the memories in it. */
function systemItems({ overhead, recalled }: ReceiptInput): readonly ReceiptItem[] {
  const memories = recalled?.tokens ?? 0;
  const head = { rule: "system", role: "system", tokens: overhead - memories, messageId: "system" } as const;
  if (recalled?.block === undefined) return [head];
  const { sources, reasons } = recalled.block;
  const item = { rule: "memory", role: "system", tokens: memories, messageId: "memory", sources } as const;
  return [head, { ...item, ...(reasons !== undefined && { reasons }) }];
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

function because(reason: NearMiss["reason"], list: readonly LeftOut[]): NearMiss[] {
  return list.map((one) => ({ ...one, reason }));
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

function isMasked(part: Message["parts"][number]): boolean {
  return part.type === "tool-result" && part.compactedAt !== undefined;
}

/** Returns the rule that put a message into the window. Messages that were not there before the repair come from it. */
function rulesFor({ window, latest }: ReceiptInput): (message: Message, sources: readonly string[]) => ReceiptRule {
  const task = window[findOriginalTask(window)]?.id;
  const known = new Set(window.map((message) => message.id));
  const standIns = new Map(latest?.standIns.map((message) => [message.id, message]));
  return ({ id, role }, sources) => {
    if (role === "system") return "system";
    if (task !== undefined && sources.includes(task)) return "task";
    const standIn = standIns.get(id);
    if (standIn !== undefined) return standIn.isSummary === true ? "summary" : "continuation";
    return known.has(id) ? "tail" : "repair";
  };
}
