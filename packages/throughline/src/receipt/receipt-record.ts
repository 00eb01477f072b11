import type { CompactionEvent } from "../compact/window.ts";
import type { NearMiss, Receipt, ReceiptItem } from "./receipt.ts";

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
