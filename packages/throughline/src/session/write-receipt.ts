import { findOriginalTask } from "../compact/original-task.ts";
import type { IrreducibleContextError } from "../errors/irreducible-context-error.ts";
import type { Message } from "../message/message.ts";
import type { Repair } from "../message/repair/repair.ts";
import type { NearMiss, Receipt, ReceiptItem, ReceiptRule } from "../receipt/receipt.ts";
import type { RecalledForTurn } from "./recall-for-turn.ts";
import type { SessionContext, Tally } from "./session-context.ts";
import type { CompactionEvent, LeftOut } from "./session-state.ts";

/** The newest of what did not get in. */
const NEAR_MISSES = 20;

interface ReceiptInput {
  readonly messages: readonly Message[];
  readonly repairs: readonly Repair[];
  /** The window before it was made legal and cut to fit. */
  readonly window: readonly Message[];
  /** The compaction in the window. */
  readonly latest: CompactionEvent | undefined;
  readonly dropped: readonly Message[];
  readonly cut: readonly string[];
  readonly handles: readonly string[];
  /** The messages of the history that some of the legal window are made of. */
  readonly sourcesOf: (messages: readonly Message[]) => readonly string[];
  /** Tokens of the system prompt and of the request itself, in ours. */
  readonly overhead: number;
  /** The memories in the system prompt; their tokens are part of the overhead. */
  readonly recalled: RecalledForTurn | undefined;
  readonly budget: number;
  /** Tokens of all of it, in ours. */
  readonly counted: number;
  readonly context: SessionContext;
  readonly tally: Tally;
}

/** Accounts for every token of a window: the items add up to the total. */
export function writeReceipt(input: ReceiptInput): Omit<Receipt, "id"> {
  const { messages, repairs, dropped, cut, latest, counted, context, tally, sourcesOf } = input;
  const tokens = Math.ceil(counted * tally.factor);
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
      tokens: tally.message(message),
      messageId: message.id,
      ...(rule === "summary" || own.length > 1 ? { sources } : {}),
      ...(parts.length === 0 ? {} : { shortened: parts.map((part) => part.id) }),
    };
  });
  const head = systemItems(input);
  const trimmed = dropped.slice(-NEAR_MISSES).map((one) => ({ messageId: one.id, tokens: tally.message(one) }));
  return {
    sessionId: context.sessionId,
    createdAt: context.clock.now(),
    modelId: context.modelId,
    budget: input.budget,
    tokens,
    counted,
    items: inProviderTokens([...head, ...items], tally.factor, tokens),
    nearMisses: [...because("compacted", latest?.newest ?? []), ...because("trimmed", trimmed)],
    handles: input.handles,
    repairs,
    notes: [
      ...(tally.factor === 1 ? [] : [`Counts are multiplied by ${tally.factor.toFixed(3)} for ${context.modelId}.`]),
      ...(input.recalled?.note === undefined ? [] : [input.recalled.note]),
    ],
  };
}

/** The system prompt, and the memories in it. */
function systemItems({ overhead, recalled }: ReceiptInput): readonly ReceiptItem[] {
  const memories = recalled?.tokens ?? 0;
  const head = { rule: "system", role: "system", tokens: overhead - memories, messageId: "system" } as const;
  if (recalled?.block === undefined) return [head];
  const { sources, reasons } = recalled.block;
  const item = { rule: "memory", role: "system", tokens: memories, messageId: "memory", sources } as const;
  return [head, { ...item, ...(reasons !== undefined && { reasons }) }];
}

/** What could not be prepared has a receipt too: there is nothing in the window, and it says why. */
export function failedReceipt(error: IrreducibleContextError, context: SessionContext): Omit<Receipt, "id"> {
  return {
    sessionId: context.sessionId,
    createdAt: context.clock.now(),
    modelId: context.modelId,
    budget: error.budget,
    tokens: 0,
    counted: 0,
    items: [],
    nearMisses: [],
    handles: [],
    repairs: [],
    notes: [error.message],
  };
}

function because(reason: NearMiss["reason"], list: readonly LeftOut[]): NearMiss[] {
  return list.map((one) => ({ ...one, reason }));
}

/** Rounded so that the items add up to the total. */
function inProviderTokens(items: readonly ReceiptItem[], factor: number, total: number): ReceiptItem[] {
  let own = 0;
  let told = 0;
  return items.map((item, index) => {
    own += item.tokens;
    const upTo = index === items.length - 1 ? total : Math.round(own * factor);
    const tokens = upTo - told;
    told = upTo;
    return { ...item, tokens };
  });
}

function isMasked(part: Message["parts"][number]): boolean {
  return part.type === "tool-result" && part.compactedAt !== undefined;
}

/** Which rule put a message into the window: what was not there before it was made legal was put there by that. */
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
