import { freeIds } from "../message/free-ids.ts";
import type { Message } from "../message/message.ts";
import type { TextPart } from "../message/part.ts";
import { besideMessage, syntheticText, withParts } from "../message/repair/repair.ts";
import type { TrimOptions } from "./trim-options.ts";

export interface NotedWindow {
  readonly messages: readonly Message[];
  /** The inserted notes. */
  readonly notes: readonly TextPart[];
  /** Handle of each gap: `messages:<first id>..<last id>`. */
  readonly handles: readonly string[];
}

/** Consecutive dropped messages, and the kept message after them, if any. */
interface Gap {
  readonly dropped: Message[];
  readonly after: Message | undefined;
}

/**
 * Inserts a note with a handle for each gap: into the user message before the gap, otherwise into the one after it,
 * otherwise as a new user message, which every provider accepts.
 */
export function noteGaps(
  all: readonly Message[],
  kept: readonly Message[],
  { sourcesOf = ownSources, namesHandles = true }: Pick<TrimOptions, "sourcesOf" | "namesHandles">,
): NotedWindow {
  const freeId = freeIds(all.map(({ id }) => id));
  const messages: Message[] = [];
  const notes: TextPart[] = [];
  const handles: string[] = [];
  for (const { dropped, after } of gapsOf(all, kept)) {
    const ids = sourcesOf(dropped);
    const [first] = ids;
    const beside = after ?? messages.at(-1) ?? dropped[0];
    if (first === undefined || beside === undefined) {
      if (after !== undefined) messages.push(after);
      continue;
    }
    const handle = `messages:${first}..${ids.at(-1)}`;
    const note = syntheticText(freeId(`${first}~left-out`), noteText(ids.length, namesHandles ? handle : undefined));
    handles.push(handle);
    notes.push(note);
    place(note, messages, after, beside);
  }
  return { messages, notes, handles };
}

function noteText(count: number, handle: string | undefined): string {
  const left = count === 1 ? "1 message left out here" : `${count} messages left out here`;
  return handle === undefined ? `[${left}]` : `[${left}; recall ${count === 1 ? "it" : "them"} as ${handle}]`;
}

/** Adds the note and the message after the gap to the messages before it. */
function place(note: TextPart, messages: Message[], after: Message | undefined, beside: Message): void {
  const before = messages.at(-1);
  const rest = after === undefined ? [] : [after];
  if (before?.role === "user") {
    messages.splice(-1, 1, withParts(before, [...before.parts, note]), ...rest);
  } else if (after?.role === "user") {
    messages.push(withParts(after, [note, ...after.parts]));
  } else {
    messages.push(besideMessage(beside, note.id, "user", [note]), ...rest);
  }
}

/** Kept messages, each with the messages dropped before it; then the messages dropped at the end. */
function gapsOf(all: readonly Message[], kept: readonly Message[]): readonly Gap[] {
  const staying = new Set(kept);
  const gaps: Gap[] = [];
  let dropped: Message[] = [];
  for (const message of all) {
    if (!staying.has(message)) dropped.push(message);
    else {
      gaps.push({ dropped, after: message });
      dropped = [];
    }
  }
  return dropped.length === 0 ? gaps : [...gaps, { dropped, after: undefined }];
}

function ownSources(messages: readonly Message[]): readonly string[] {
  const wasPut = ({ parts }: Message) => parts.every((part) => part.type === "text" && part.synthetic === true);
  return messages.filter((message) => !wasPut(message)).map(({ id }) => id);
}
