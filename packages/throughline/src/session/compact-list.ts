import { textOf } from "../compact/original-task.ts";
import { readSummary } from "../compact/read-summary.ts";
import { isSummaryMessage } from "../compact/select-messages.ts";
import { readLedger, slimLedger } from "../ledger/carry-ledger.ts";
import { EMPTY_LEDGER, type Ledger } from "../ledger/ledger.ts";
import { readWords } from "../ledger/read-words.ts";
import { reduceLedger } from "../ledger/reduce-ledger.ts";
import { wordsTokens } from "../ledger/words-tokens.ts";
import type { Message } from "../message/message.ts";
import { applyCompaction, type CompactionContext, type CompactionRequest, planCompaction } from "./compact-window.ts";
import type { Tally } from "./session-context.ts";
import { type CompactionEvent, EMPTY_STATE, type Entry, type SessionState } from "./session-state.ts";
import { materialize } from "./window.ts";

/** A list after its compaction. */
export interface CompactedList {
  readonly messages: readonly Message[];
  readonly event: CompactionEvent;
}

/** Under this name the summary carries the ledger to the next round: providers read only their own options. */
const CARRIER = "throughline";
/** What the user said comes first in up to this share of a summary: there is no history in which it could be looked up. */
const WORDS_SHARE = 0.5;
/** And what an earlier summary says may have this share, where no model makes one text of the two. */
const EARLIER_SHARE = 0.25;

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
  const known = knownBefore(marked);
  const state: SessionState = {
    ...EMPTY_STATE,
    entries: [...places.keys()].map((message) => ({ message })),
    ledger: marked.slice(known.from).reduce(reduceLedger, known.ledger),
    rounds: marked.reduce((most, message) => Math.max(most, roundOf(message)), 0),
  };
  const sources = { messages: places, events: new Map<string, CompactionEvent>() };
  const planned = await planCompaction(
    state,
    sources,
    { ...sharesOf(state, request, tally), ...request },
    context,
    tally,
  );
  const after = planned && applyCompaction(planned, state, places);
  if (planned === undefined || after === undefined) return undefined;
  const { event, division } = planned;
  const events = new Map([[event.id, event]]);
  // What stays behind the summary is read in the next round: here it would count twice.
  const behind = new Set([...division.kept, ...state.entries.slice(division.before.length)]);
  const replaced = marked.filter((_, index) => index >= known.from && !behind.has(state.entries[index] as Entry));
  const ledger = slimLedger(replaced.reduce(reduceLedger, known.ledger));
  return {
    messages: materialize(after, { ...sources, events }).map((message) =>
      message.id === `${event.id}/summary` ? carrying(message, ledger) : message,
    ),
    event: {
      ...event,
      compactedMessageIds: event.compactedMessageIds.flatMap((place) => places.get(place)?.id ?? []),
    },
  };
}

function sharesOf({ ledger }: SessionState, { targetTokens }: CompactionRequest, tally: Tally) {
  const most = Math.floor(targetTokens * WORDS_SHARE);
  return {
    words: Math.min(most, wordsTokens(ledger, tally.text, most)),
    earlier: Math.floor(targetTokens * EARLIER_SHARE),
  };
}

/**
 * What is known of what came before a list, and from which of its messages on it is to be read: the ledger that the last
 * summary carries, or what the user said as the text of one has it, where whoever kept the list dropped the rest.
 */
function knownBefore(messages: readonly Message[]): { readonly ledger: Ledger; readonly from: number } {
  for (const [index, message] of [...messages.entries()].reverse()) {
    if (message.isSummary !== true) continue;
    const carried = readLedger(message.providerOptions?.[CARRIER]?.ledger);
    if (carried !== undefined) return { ledger: carried, from: index + 1 };
    const { record } = readSummary(textOf(message));
    if (record !== undefined) return { ledger: wordsBefore(record, messages.slice(index + 1)), from: index };
  }
  return { ledger: EMPTY_LEDGER, from: 0 };
}

/** What the user said by the text of a summary, without what the messages behind it say again. */
function wordsBefore(record: string, behind: readonly Message[]): Ledger {
  const { requests } = behind.reduce(reduceLedger, EMPTY_LEDGER);
  const again = new Set(requests.map(({ text }) => text));
  const words = readWords(record);
  return { ...words, requests: words.requests.filter(({ text }) => !again.has(text)) };
}

function roundOf(message: Message): number {
  if (message.isSummary !== true) return 0;
  return Number(/\(Compaction Round (\d{1,6})\)/.exec(textOf(message))?.[1] ?? 0);
}

function carrying(summary: Message, ledger: Ledger): Message {
  return { ...summary, providerOptions: { ...summary.providerOptions, [CARRIER]: { ledger } } };
}
