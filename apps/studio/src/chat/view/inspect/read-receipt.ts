import type { Receipt } from "throughline";
import { chatSessionOptions } from "throughline/chat";
import { requestCopy } from "../../../copy/requests.ts";
import { NO_MODEL } from "../../current-session.ts";

type Item = Receipt["items"][number];
type NearMiss = Receipt["nearMisses"][number];

/** Items of one rule in the window. */
export interface CountedRule {
  readonly rule: Item["rule"];
  readonly label: string;
  readonly tokens: number;
  readonly items: readonly Item[];
}

/** A memory that was in the window. */
export interface InjectedMemory {
  readonly id: string;
  readonly reason: string | undefined;
}

/** A receipt, grouped by fate of its items. */
export interface ReceiptReading {
  readonly counted: readonly CountedRule[];
  readonly injected: readonly InjectedMemory[];
  /** Parts whose outputs are masked or cut, and the message that they are part of. */
  readonly pruned: readonly { readonly messageId: string; readonly parts: readonly string[] }[];
  readonly compacted: readonly NearMiss[];
  readonly trimmed: readonly NearMiss[];
}

/** Groups the items of a receipt: counted, injected, pruned, compacted and trimmed. */
export function readReceipt({ items, nearMisses }: Receipt): ReceiptReading {
  const byRule = Map.groupBy(items, (item) => item.rule);
  const misses = Map.groupBy(nearMisses, (miss) => miss.reason);
  return {
    counted: [...byRule].map(([rule, own]) => ({
      rule,
      label: requestCopy.rules[rule],
      tokens: sumTokens(own),
      items: own,
    })),
    injected: (byRule.get("memory") ?? []).flatMap(({ sources = [], reasons = {} }) =>
      sources.map((id) => ({ id, reason: reasons[id] })),
    ),
    pruned: items.flatMap(({ messageId, shortened = [] }) =>
      shortened.length === 0 ? [] : [{ messageId, parts: shortened }],
    ),
    compacted: misses.get("compacted") ?? [],
    trimmed: misses.get("trimmed") ?? [],
  };
}

/** Model, context size and reply reserve of a request. */
export function describeLimit({ modelId, budget }: Pick<Receipt, "modelId" | "budget">, contextLimit: number) {
  const model = modelId === NO_MODEL.modelId ? requestCopy.noModel : modelId;
  const { outputReserve } = chatSessionOptions(contextLimit);
  // An earlier request may have been for a model with another context.
  const isCurrent = budget === contextLimit - outputReserve;
  return isCurrent ? { model, limit: contextLimit, reserved: outputReserve } : { model, limit: budget, reserved: 0 };
}

function sumTokens(items: readonly { readonly tokens: number }[]): number {
  return items.reduce((sum, item) => sum + item.tokens, 0);
}
