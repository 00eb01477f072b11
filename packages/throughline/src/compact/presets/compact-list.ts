import { EMPTY_LEDGER, type Ledger } from "../../ledger/ledger.ts";
import { reduceLedger } from "../../ledger/reduce-ledger.ts";
import { readWords } from "../../ledger/render/render-quotes.ts";
import { readLedger, slimLedger } from "../../ledger/serialize-ledger.ts";
import type { Message } from "../../message/message.ts";
import { SYSTEM_CLOCK } from "../../ports/clock.ts";
import type { TokenCounter } from "../../tokens/token-counter.ts";
import { readSummary } from "../compose-summary.ts";
import type { CompactionLimits } from "../divide-window.ts";
import { addProse, type CompactionDeps, planCompaction } from "../plan-compaction.ts";
import type { CompactionPolicy } from "../policy.ts";
import { codingProfile } from "../profiles.ts";
import { isSummaryMessage, textOf } from "../select-messages.ts";
import type { CompactionEvent, Entry, WindowState } from "../window.ts";

/** Settings of a compaction of a list. */
export interface CompactListOptions extends Partial<CompactionDeps>, CompactionLimits {
  readonly signal?: AbortSignal | undefined;
  /** Compactions of this list so far, if they are known. Default: read from the summaries in the list. */
  readonly rounds?: number | undefined;
}

/** A list after its compaction. */
export interface CompactedList {
  readonly messages: readonly Message[];
  readonly event: CompactionEvent;
}

/** Provider option under which the summary carries the ledger to the next round: providers ignore options of others. */
const CARRIER = "throughline";

/**
 * Compacts a list of messages that the caller keeps. The summary carries the ledger, so that the user's words of the
 * first round survive every later one.
 *
 * @returns `undefined` if there is nothing to replace, or the policy's minimum would not be saved.
 */
export async function compactList(
  messages: readonly Message[],
  counter: TokenCounter,
  policy: CompactionPolicy,
  options: CompactListOptions,
): Promise<CompactedList | undefined> {
  const marked = messages.map((message) => (isSummaryMessage(message) ? { ...message, isSummary: true } : message));
  // Entries name positions: ids in such a list need not be unique.
  const places = new Map(marked.map((message, index) => [String(index), message]));
  const known = earlierCompactions(marked);
  const state = listState(marked, known, options.rounds);
  const sources = { messages: places, events: new Map<string, CompactionEvent>() };
  const deps = listDeps(messages, options);
  const planned = await planCompaction({ state, sources, window: marked, counter, deps }, policy, options);
  if (planned === undefined) return undefined;
  const { division } = planned.draft;
  const { event, window } = await addProse(planned, options.signal);
  // The next round reads the messages behind the summary: they must not be in the carried ledger too.
  const behind = new Set([...division.kept, ...state.entries.slice(division.before.length)]);
  const replaced = marked.filter((_, index) => index >= known.from && !behind.has(state.entries[index] as Entry));
  const ledger = slimLedger(replaced.reduce(reduceLedger, known.ledger));
  return {
    messages: window.map((message) => (message.id === `${event.id}/summary` ? withLedger(message, ledger) : message)),
    event: {
      ...event,
      compactedMessageIds: event.compactedMessageIds.flatMap((place) => places.get(place)?.id ?? []),
    },
  };
}

function listDeps(messages: readonly Message[], options: CompactListOptions): CompactionDeps {
  const { model, timeLimit, profile = codingProfile, clock = SYSTEM_CLOCK } = options;
  return { sessionId: options.sessionId ?? messages[0]?.sessionId ?? "", clock, model, profile, timeLimit };
}

function listState(messages: readonly Message[], known: EarlierCompaction, rounds = 0): WindowState {
  return {
    entries: messages.map((_, index) => ({ message: String(index) })),
    masks: {},
    ledger: messages.slice(known.from).reduce(reduceLedger, known.ledger),
    appended: messages.length,
    appendedAtCompaction: -1,
    rounds: messages.reduce((most, message) => Math.max(most, roundOf(message)), rounds),
  };
}

/** The ledger of everything before a list, and the index of the first message that it does not cover. */
interface EarlierCompaction {
  readonly ledger: Ledger;
  readonly from: number;
}

/**
 * Reads the ledger that the last summary carries, or the user's words from its text if the caller dropped the ledger.
 */
function earlierCompactions(messages: readonly Message[]): EarlierCompaction {
  for (const [index, message] of [...messages.entries()].reverse()) {
    if (message.isSummary !== true) continue;
    const carried = readLedger(message.providerOptions?.[CARRIER]?.ledger);
    if (carried !== undefined) return { ledger: carried, from: index + 1 };
    const { record } = readSummary(textOf(message));
    if (record !== undefined) return { ledger: wordsBefore(record, messages.slice(index + 1)), from: index };
  }
  return { ledger: EMPTY_LEDGER, from: 0 };
}

/** The user's words in the text of a summary, without those that the messages behind it repeat. */
function wordsBefore(record: string, behind: readonly Message[]): Ledger {
  const { requests } = behind.reduce(reduceLedger, EMPTY_LEDGER);
  const again = new Set(requests.map(({ text }) => text));
  const words = readWords(record);
  return { ...words, requests: words.requests.filter(({ text }) => !again.has(text)) };
}

function roundOf(message: Message): number {
  if (message.isSummary !== true) return 0;
  // The summary of a chat does not name its round.
  return Number(/\(Compaction Round (\d{1,6})\)/.exec(textOf(message))?.[1] ?? 1);
}

function withLedger(summary: Message, ledger: Ledger): Message {
  return { ...summary, providerOptions: { ...summary.providerOptions, [CARRIER]: { ledger } } };
}
