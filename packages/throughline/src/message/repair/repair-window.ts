import type { ForeignModelMessage } from "../convert/ai-sdk.ts";
import { freeIds } from "../free-ids.ts";
import type { Message } from "../message.ts";
import { toRichWindow } from "../to-rich-window.ts";
import { beginWithUser } from "./begin-with-user.ts";
import { repairCallContents } from "./call-contents.ts";
import { repairCallIds } from "./call-ids.ts";
import { dropEmpty } from "./drop-empty.ts";
import { mergeTurns } from "./merge-turns.ts";
import type { Repair, RepairContext, RepairedWindow, RepairStep } from "./repair.ts";
import { settleParts } from "./settle-parts.ts";
import { repairToolPairs } from "./tool-pairs.ts";

const STEPS: readonly RepairStep[] = [
  repairCallIds,
  settleParts,
  repairCallContents,
  repairToolPairs,
  dropEmpty,
  mergeTurns,
  beginWithUser,
];

/**
 * Makes a window legal for every provider and lists what it did. Meant for foreign transcripts, where calls without
 * results and results without calls occur: what has no legal place is told as text, so that it is not lost. A legal
 * window comes back as it is. Takes Throughline's own messages and the AI SDK's, and gives back Throughline's.
 *
 * @example
 * const { messages, repairs } = repairWindow(session.messages);
 */
export function repairWindow(messages: readonly (Message | ForeignModelMessage)[]): RepairedWindow {
  const window = toRichWindow(messages);
  const repairs: Repair[] = [];
  const context: RepairContext = {
    report: (repair) => repairs.push(repair),
    freeId: freeIds(window.map(({ id }) => id)),
  };
  const repaired = STEPS.reduce((list, step) => step(list, context), window);
  return { messages: repaired, repairs };
}
