import { convertModelToRich, convertRichToModel } from "../../message/convert/ai-sdk.ts";
import type { Message } from "../../message/message.ts";
import { sameJson } from "../../message/read-json.ts";
import type { Receipt, ReceiptItem } from "../../receipt/receipt.ts";
import type { PreparedTurn } from "../../session/turn.ts";

/** A window in our own messages. */
export interface WrittenWindow {
  readonly messages: readonly Message[];
  /** How many of them stand as they were said. */
  readonly intact: number;
}

/** Whether a window shows everything as it was said: nothing is summarised, masked, cut or left out. */
export function isUntouched({ items, nearMisses }: Receipt): boolean {
  const isOwn = ({ rule, shortened }: ReceiptItem) =>
    shortened === undefined && rule !== "summary" && rule !== "continuation";
  return nearMisses.length === 0 && items.every(isOwn);
}

/**
 * The messages of a window. What stands as it was said is taken from where it was said, with all that only its own form
 * has a word for; the rest is what the window says.
 */
export function writeWindow(turn: PreparedTurn, originals: ReadonlyMap<string, Message>): WrittenWindow {
  const items = turn.receipt.items.filter(({ rule }) => rule !== "system" && rule !== "memory");
  const isAligned = items.length === turn.messages.length;
  let intact = 0;
  const messages = turn.messages.flatMap((message, index) => {
    const original = isAligned ? originals.get(items[index]?.messageId ?? "") : undefined;
    if (original === undefined || !sameJson(convertRichToModel([original]), [message])) {
      return convertModelToRich([message]);
    }
    intact += 1;
    return [original];
  });
  return { messages, intact };
}
