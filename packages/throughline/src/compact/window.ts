import type { Ledger } from "../ledger/ledger.ts";
import type { Message } from "../message/message.ts";
import type { Part, ToolResultPart } from "../message/part.ts";
import { withChangedParts } from "../message/repair/repair.ts";
import { type EditState, editedParts, pinnedMessages, showEdited } from "./edited-parts.ts";

/** One place in a window: a message, or a compaction that replaces several places. */
export type Entry = { readonly message: string } | { readonly event: string };

/** The part of a session's state that describes its window. Plain data, never changed in place. */
export interface WindowState extends EditState {
  readonly entries: readonly Entry[];
  /** Masked tool results in the window, by part id. */
  readonly masks: Readonly<Record<string, ToolResultPart>>;
  readonly ledger: Ledger;
  /** Number of messages that the state covers. */
  readonly appended: number;
  /** Value of `appended` at the last compaction: without new messages no compaction runs again. */
  readonly appendedAtCompaction: number;
  /** Number of compactions so far. */
  readonly rounds: number;
}

/** A message that left the window, with its size. */
interface LeftOut {
  readonly messageId: string;
  readonly tokens: number;
}

/** The part of a compaction that a store keeps as opaque data: enough to undo it. */
export interface CompactionDetail {
  /** Why the summary has no prose by the model; `undefined` if it has. */
  readonly withoutProse?: string;
  /**
   * Position of the last message that the prose covers, if it does not cover all compacted ones. The narrative of the
   * ledger covers the rest.
   */
  readonly proseUpTo?: number;
  /** Messages that replace the compacted ones in the window. */
  readonly summaryMessages: readonly Message[];
  /** All entries before the tail as they were, including those that stay. */
  readonly replaced: readonly Entry[];
  /** Number of original entries kept directly after the summary. */
  readonly keptAfter: number;
  readonly masksBefore: Readonly<Record<string, ToolResultPart>>;
  /**
   * Ids of the parts in `masksBefore` that were masked in the turn of the compaction: they are shown again if it is
   * undone. Compactions that were stored without it keep all masks.
   */
  readonly maskedInTurn?: readonly string[];
  /** The newest of the compacted messages. */
  readonly newest: readonly LeftOut[];
}

/** One compaction: the messages it replaced and their summary. Undoing it restores the same window. */
export interface CompactionEvent extends CompactionDetail {
  /** Id for `session.restore` and `session.expand`. */
  readonly id: string;
  readonly sessionId: string;
  /** Number of the compaction in its session, from 1. */
  readonly round: number;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Tokens of the messages before and after, as the provider would count them. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Text of the summary, ledger included. */
  readonly summary: string;
  /** Messages that left the window with this compaction, without those of earlier ones. */
  readonly compactedMessageIds: readonly string[];
}

export function isSameEntry(a: Entry, b: Entry | undefined): boolean {
  if (b === undefined) return false;
  return "message" in a ? "message" in b && a.message === b.message : "event" in b && a.event === b.event;
}

/** Messages and compactions that the entries of a window refer to. */
export interface WindowSources {
  readonly messages: ReadonlyMap<string, Message>;
  readonly events: ReadonlyMap<string, CompactionEvent>;
}

/** The state that a window is made of. */
export type MaterialState = Pick<WindowState, "entries" | "masks"> & EditState;

/** Finds a compaction of a session by its id or its short name, such as `compaction-2`. */
export function findEvent(
  events: WindowSources["events"],
  handle: string,
  sessionId: string,
): CompactionEvent | undefined {
  return events.get(handle) ?? events.get(`${sessionId}/${handle}`);
}

/** Returns the messages of a window, with masks and edits applied. */
export function materialize(state: MaterialState, sources: WindowSources): Message[] {
  const { entries, masks } = state;
  // Fast path: most sessions have no edits.
  const edits = state.edits && editsOf(state, sources);
  const isMasked = ({ id }: Part) => Object.hasOwn(masks, id) && !edits?.pinned.has(id);
  const hasMasks = Object.keys(masks).length > 0;
  return entries.flatMap((entry, index) => {
    if ("event" in entry) {
      const summaryMessages = sources.events.get(entry.event)?.summaryMessages ?? [];
      return index === edits?.place ? [...summaryMessages, ...edits.messages] : [...summaryMessages];
    }
    const message = sources.messages.get(entry.message);
    if (message === undefined) return [];
    const shown = edits?.show(message) ?? message;
    if (!hasMasks || !message.parts.some(isMasked)) return [shown];
    const show = (part: Part) => (isMasked(part) && !edits?.masked.has(part.id) ? (masks[part.id] ?? part) : part);
    return [withChangedParts(message, shown.parts.map(show))];
  });
}

/** Effects of a session's edits on its window. */
function editsOf(state: MaterialState, sources: WindowSources) {
  const edited = editedParts(state);
  return { ...edited, ...pinnedBehind(state, sources), show: (message: Message) => showEdited(message, edited) };
}

/** Pinned messages that a compaction replaced, and the index of the entry that they follow: the last compaction. */
export function pinnedBehind(
  state: MaterialState,
  { messages }: Pick<WindowSources, "messages">,
): { readonly place: number; readonly messages: readonly Message[] } {
  if (editedParts(state).group.length === 0) return { place: -1, messages: [] };
  const { entries } = state;
  const ids = new Set(entries.flatMap((entry) => ("message" in entry ? [entry.message] : [])));
  const place = entries.findLastIndex((entry) => "event" in entry);
  return { place, messages: pinnedMessages(state, (id) => ids.has(id), messages) };
}

/** Returns the ids of the messages below some entries, through all compactions. */
export function messageIdsOf(entries: readonly Entry[], events: WindowSources["events"]): string[] {
  return entries.flatMap((entry) =>
    "message" in entry ? [entry.message] : messageIdsOf(events.get(entry.event)?.replaced ?? [], events),
  );
}

/** Returns the ids of the compactions below some entries, nested ones included. */
export function eventIdsOf(entries: readonly Entry[], events: WindowSources["events"]): ReadonlySet<string> {
  const below = entries.flatMap((entry) =>
    "event" in entry ? [entry.event, ...eventIdsOf(events.get(entry.event)?.replaced ?? [], events)] : [],
  );
  return new Set(below);
}

/**
 * Undoes one compaction, after undoing those that cover it, with the masks of the same turn. Earlier and later masks
 * stay.
 *
 * @returns `undefined` if the compaction is not in the window.
 */
export function reopen(
  { entries, masks }: Pick<WindowState, "entries" | "masks">,
  eventId: string,
  events: WindowSources["events"],
): Pick<WindowState, "entries" | "masks"> | undefined {
  const at = entries.findIndex((entry) => "event" in entry && covers(entry.event, eventId, events));
  const entry = entries[at];
  const event = entry && "event" in entry ? events.get(entry.event) : undefined;
  if (event === undefined) return undefined;
  const ofTurn = new Set(event.maskedInTurn);
  const opened = {
    // The entries before the compaction are among those it replaced, in their old places.
    entries: [...event.replaced, ...entries.slice(at + 1 + event.keptAfter)],
    masks: Object.fromEntries(Object.entries({ ...event.masksBefore, ...masks }).filter(([id]) => !ofTurn.has(id))),
  };
  return event.id === eventId ? opened : reopen(opened, eventId, events);
}

function covers(over: string, eventId: string, events: WindowSources["events"]): boolean {
  if (over === eventId) return true;
  const replaced = events.get(over)?.replaced ?? [];
  return replaced.some((entry) => "event" in entry && covers(entry.event, eventId, events));
}
