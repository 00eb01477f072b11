import type { Message } from "../message/message.ts";
import type { Part } from "../message/part.ts";
import type { CompactionEvent, Entry, SessionState } from "./session-state.ts";

export interface WindowSources {
  readonly messages: ReadonlyMap<string, Message>;
  readonly events: ReadonlyMap<string, CompactionEvent>;
}

/** The messages that a state stands for, masks applied. */
export function materialize({ entries, masks }: SessionState, sources: WindowSources): Message[] {
  return entries.flatMap((entry) => {
    if ("event" in entry) return [...(sources.events.get(entry.event)?.standIns ?? [])];
    const message = sources.messages.get(entry.message);
    return message === undefined ? [] : [withMasks(message, masks)];
  });
}

function withMasks(message: Message, masks: SessionState["masks"]): Message {
  const isMasked = (part: Part) => Object.hasOwn(masks, part.id);
  if (!message.parts.some(isMasked)) return message;
  const { tokens: _, ...rest } = message;
  return { ...rest, parts: message.parts.map((part) => (isMasked(part) ? (masks[part.id] ?? part) : part)) };
}

/** The messages below some entries, compactions opened down to what they replaced. */
export function messageIdsOf(entries: readonly Entry[], events: WindowSources["events"]): string[] {
  return entries.flatMap((entry) =>
    "message" in entry ? [entry.message] : messageIdsOf(events.get(entry.event)?.replaced ?? [], events),
  );
}

/** The compactions below some entries, those that lie under others too. */
export function eventIdsOf(entries: readonly Entry[], events: WindowSources["events"]): ReadonlySet<string> {
  const below = entries.flatMap((entry) =>
    "event" in entry ? [entry.event, ...eventIdsOf(events.get(entry.event)?.replaced ?? [], events)] : [],
  );
  return new Set(below);
}

/**
 * The window with one compaction opened; those that lie over it are opened first. What was masked since stays so.
 *
 * @returns `undefined` where it does not stand in the window.
 */
export function reopen(
  { entries, masks }: Pick<SessionState, "entries" | "masks">,
  eventId: string,
  events: WindowSources["events"],
): Pick<SessionState, "entries" | "masks"> | undefined {
  const at = entries.findIndex((entry) => "event" in entry && covers(entry.event, eventId, events));
  const entry = entries[at];
  const event = entry && "event" in entry ? events.get(entry.event) : undefined;
  if (event === undefined) return undefined;
  const opened = {
    // What stands in front of it is in what it replaced, in its old place.
    entries: [...event.replaced, ...entries.slice(at + 1 + event.keptAfter)],
    masks: { ...event.masksBefore, ...masks },
  };
  return event.id === eventId ? opened : reopen(opened, eventId, events);
}

function covers(over: string, eventId: string, events: WindowSources["events"]): boolean {
  if (over === eventId) return true;
  const replaced = events.get(over)?.replaced ?? [];
  return replaced.some((entry) => "event" in entry && covers(entry.event, eventId, events));
}
