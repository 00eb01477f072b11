import { findOriginalTask } from "../compact/original-task.ts";
import type { Message } from "../message/message.ts";
import type { Repair } from "../message/repair/repair.ts";
import type { NearMiss, Receipt, ReceiptItem, ReceiptRule } from "../receipt/receipt.ts";
import type { SessionContext, Tally } from "./session-context.ts";
import type { SessionState } from "./session-state.ts";

/** The newest of what did not get in. */
const NEAR_MISSES = 20;

interface ReceiptInput {
  readonly messages: readonly Message[];
  readonly repairs: readonly Repair[];
  /** What the compaction in the window stands for. */
  readonly compacted: readonly Message[];
  readonly dropped: readonly Message[];
  readonly cut: readonly string[];
  readonly system: string;
  /** Tokens of the system prompt and of the request itself, in ours. */
  readonly overhead: number;
  readonly budget: number;
  readonly tokens: number;
  readonly state: SessionState;
  readonly context: SessionContext;
  readonly tally: Tally;
}

/** Accounts for every token of a window: the items add up to the total. */
export function writeReceipt(input: ReceiptInput): Receipt {
  const { messages, repairs, dropped, cut, context, tally, state } = input;
  const task = findOriginalTask(messages);
  const shortened = new Set(cut);
  const items: ReceiptItem[] = messages.map((message, index) => {
    const parts = message.parts.filter((part) => shortened.has(part.id) || isMasked(part));
    return {
      rule: ruleOf(message, index === task),
      role: message.role,
      tokens: tally.message(message),
      messageId: message.id,
      ...(message.isSummary === true ? { sources: input.compacted.map(({ id }) => id) } : {}),
      ...(parts.length === 0 ? {} : { shortened: parts.map((part) => part.id) }),
    };
  });
  const head: ReceiptItem = { rule: "system", role: "system", tokens: input.overhead, messageId: "system" };
  const near = (list: readonly Message[], reason: NearMiss["reason"]): NearMiss[] =>
    list.slice(-NEAR_MISSES).map((message) => ({ messageId: message.id, tokens: tally.message(message), reason }));
  const nearMisses = [...near(input.compacted, "compacted"), ...near(dropped, "trimmed")];
  return {
    id: `${context.sessionId}/receipt-${state.receipts + 1}`,
    sessionId: context.sessionId,
    createdAt: context.clock.now(),
    modelId: context.modelId,
    budget: input.budget,
    tokens: input.tokens,
    items: inProviderTokens([head, ...items], tally.factor, input.tokens),
    nearMisses,
    repairs,
    notes: tally.factor === 1 ? [] : [`Counts are multiplied by ${tally.factor.toFixed(3)} for ${context.modelId}.`],
  };
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

function ruleOf(message: Message, isTask: boolean): ReceiptRule {
  if (isTask) return "task";
  if (message.isSummary) return "summary";
  if (/\/(continuation|opening)$/.test(message.id)) return "continuation";
  return message.id.includes("~") ? "repair" : "tail";
}
