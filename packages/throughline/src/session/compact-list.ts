import { textOf } from "../compact/original-task.ts";
import { isSummaryMessage } from "../compact/select-messages.ts";
import { readLedger, slimLedger } from "../ledger/carry-ledger.ts";
import { EMPTY_LEDGER, type Ledger } from "../ledger/ledger.ts";
import { reduceLedger } from "../ledger/reduce-ledger.ts";
import type { Message } from "../message/message.ts";
import { applyCompaction, type CompactionContext, type CompactionRequest, planCompaction } from "./compact-window.ts";
import type { Tally } from "./session-context.ts";
import { type CompactionEvent, EMPTY_STATE, type SessionState } from "./session-state.ts";
import { materialize } from "./window.ts";

/** A list after its compaction. */
export interface CompactedList {
  readonly messages: readonly Message[];
  readonly event: CompactionEvent;
}

/** Under this name the summary carries the ledger to the next round: providers read only their own options. */
const CARRIER = "throughline";

/**
 * Compacts messages that somebody else keeps. The ledger travels with the summary, so that what the user said in the
 * first round still stands in the last.
 *
 * @returns `undefined` where there is nothing to replace.
 */
export async function compactList(
  messages: readonly Message[],
  request: CompactionRequest,
  context: CompactionContext,
  tally: Tally,
): Promise<CompactedList | undefined> {
  const marked = messages.map((message) => (isSummaryMessage(message) ? { ...message, isSummary: true } : message));
  // Ids in a foreign list may stand twice; places do not.
  const places = new Map(marked.map((message, index) => [String(index), message]));
  const state = stateOf(marked, [...places.keys()]);
  const sources = { messages: places, events: new Map<string, CompactionEvent>() };
  const planned = await planCompaction(state, sources, request, context, tally);
  const after = planned && applyCompaction(planned, state, places);
  if (planned === undefined || after === undefined) return undefined;
  const { event } = planned;
  const events = new Map([[event.id, event]]);
  return {
    messages: materialize(after, { ...sources, events }).map((message) =>
      message.id === `${event.id}/summary` ? carrying(message, state.ledger) : message,
    ),
    event: {
      ...event,
      compactedMessageIds: event.compactedMessageIds.flatMap((place) => places.get(place)?.id ?? []),
    },
  };
}

/** How a list stands: its ledger goes on from the one that the last summary carries. */
function stateOf(messages: readonly Message[], places: readonly string[]): SessionState {
  const at = messages.findLastIndex((message) => message.isSummary === true);
  const summary = messages[at];
  const carried = readLedger(summary?.providerOptions?.[CARRIER]?.ledger);
  const unseen = carried === undefined ? messages : messages.slice(at + 1);
  return {
    ...EMPTY_STATE,
    entries: places.map((message) => ({ message })),
    ledger: unseen.reduce(reduceLedger, carried ?? EMPTY_LEDGER),
    rounds: summary === undefined ? 0 : roundOf(textOf(summary)),
  };
}

function roundOf(summary: string): number {
  return Number(/\(Compaction Round (\d{1,6})\)/.exec(summary)?.[1] ?? 0);
}

function carrying(summary: Message, ledger: Ledger): Message {
  return { ...summary, providerOptions: { ...summary.providerOptions, [CARRIER]: { ledger: slimLedger(ledger) } } };
}
