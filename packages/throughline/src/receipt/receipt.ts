import type { CompactionEvent } from "../compact/window.ts";
import type { Role } from "../message/message.ts";
import type { Repair } from "../message/repair/repair.ts";

/** Rule that put an item into the window. `pin`: a person pinned it, or a part of the same tool calls. */
export type ReceiptRule = "system" | "memory" | "task" | "summary" | "continuation" | "pin" | "tail" | "repair";

/** One item of the window with its cost and the reason for it. */
export interface ReceiptItem {
  /** Rule that put the item into the window. */
  readonly rule: ReceiptRule;
  readonly role: Role;
  /** Tokens of the item. */
  readonly tokens: number;
  readonly messageId: string;
  /** Ids of the messages or memories behind the item, if it is not a message itself. */
  readonly sources?: readonly string[];
  /** Memory id → reason for which it was included. */
  readonly reasons?: Readonly<Record<string, string>>;
  /** Ids of masked or truncated parts. Expand them with `part:<id>`. */
  readonly shortened?: readonly string[];
}

/** A rule, preference, correction or reason for a refusal by the user, and its location for the model. */
export interface UserRulePlace {
  /** The user's words, cut if they are long. */
  readonly text: string;
  /** Item of the window that contains it; left out if it is only in the history. */
  readonly rule?: ReceiptRule;
  readonly messageId?: string;
  /** Handle of the user's message part. */
  readonly handle?: string;
}

/** A message that is not in the window, and the reason. */
export interface NearMiss {
  readonly messageId: string;
  readonly tokens: number;
  readonly reason: "compacted" | "trimmed";
}

/** Token usage that the provider reported for a window. */
export interface ReportedUsage {
  /** All input tokens, including cached ones. */
  readonly inputTokens: number;
  /** Tokens read from the prompt cache and written to it. */
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
}

/** Explains every token of a window. */
export interface Receipt {
  /** Id: the session, and the number of the turn. */
  readonly id: string;
  readonly sessionId: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Model that the window is for. */
  readonly modelId: string;
  /** Maximum tokens of the request. */
  readonly budget: number;
  /** Estimate of the provider's count. */
  readonly tokens: number;
  /** Our own count, before the model's margin. */
  readonly counted: number;
  /** Items of the window, in order. */
  readonly items: readonly ReceiptItem[];
  /** The newest messages that were compacted or trimmed away, with the reason. */
  readonly nearMisses: readonly NearMiss[];
  /** Location of each of the user's rules; left out if there are none. */
  readonly userRules?: readonly UserRulePlace[];
  /** Handles to expand the messages that were trimmed away and the parts that were cut to fit. */
  readonly handles: readonly string[];
  /** Changes that were needed for the provider to accept the window. */
  readonly repairs: readonly Repair[];
  /** Notes about deviations from the request. */
  readonly notes: readonly string[];
  /** Usage that the provider reported afterwards. */
  readonly usage?: ReportedUsage;
}

/**
 * A receipt as the store keeps it: counts before the model's margin, and the compaction by its id instead of the
 * messages that it replaced.
 */
export interface ReceiptRecord extends Pick<Receipt, "modelId" | "budget" | "counted"> {
  /** The model's margin: provider tokens per counted token. */
  readonly factor: number;
  /** Id of the compaction whose summary is in the window. */
  readonly compaction?: string;
  readonly items: readonly ReceiptItem[];
  /** Messages that were trimmed away. */
  readonly trimmed: readonly Omit<NearMiss, "reason">[];
  readonly userRules?: Receipt["userRules"];
  readonly handles: Receipt["handles"];
  readonly repairs: Receipt["repairs"];
  readonly notes: Receipt["notes"];
}

/** A receipt that has no number yet. */
export interface ReceiptDraft {
  readonly createdAt: number;
  readonly record: ReceiptRecord;
  /** The compaction that the record names. */
  readonly latest: Compacted | undefined;
}

type Compacted = Pick<CompactionEvent, "compactedMessageIds" | "newest">;

/** The whole receipt behind a record. */
export function toReceipt(
  name: Pick<Receipt, "id" | "sessionId" | "createdAt">,
  record: ReceiptRecord,
  latest: Compacted | undefined,
): Receipt {
  const { id, sessionId, createdAt } = name;
  const { modelId, budget, counted, factor, userRules, handles, repairs, notes } = record;
  const tokens = Math.ceil(counted * factor);
  const items = latest === undefined ? record.items : record.items.map((item) => withSources(item, latest));
  return {
    id,
    sessionId,
    createdAt,
    modelId,
    budget,
    tokens,
    counted,
    items: inProviderTokens(items, factor, tokens),
    nearMisses: [
      ...(latest?.newest ?? []).map((one) => ({ ...one, reason: "compacted" as const })),
      ...record.trimmed.map((one) => ({ ...one, reason: "trimmed" as const })),
    ],
    ...(userRules === undefined ? {} : { userRules }),
    handles,
    repairs,
    notes,
  };
}

function withSources(item: ReceiptItem, { compactedMessageIds }: Compacted): ReceiptItem {
  return item.rule === "summary" ? { ...item, sources: [...compactedMessageIds, ...(item.sources ?? [])] } : item;
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
