import { omitUndefined } from "../internal/json.ts";
import { oneLine } from "../internal/one-line.ts";
import type { LedgerConstraint } from "../ledger/ledger.ts";
import type { Message } from "../message/message.ts";
import { handleOf } from "../prune/mask-output.ts";
import type { ReceiptItem, UserRulePlace } from "./receipt.ts";

/** Characters of a rule in a receipt. */
const MAX_TEXT = 120;

/**
 * Finds the place of each rule in a window: the summary, or else the message in which the user said it.
 *
 * @param items receipt items of the messages, in the same order
 * @param shortened ids of parts that were cut
 */
export function placeRules(
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
    return omitUndefined({ text: oneLine(text, MAX_TEXT), rule: item?.rule, messageId: item?.messageId, handle });
  });
}
