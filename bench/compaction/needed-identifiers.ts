import type { Message } from "throughline";
import { findIdentifiers } from "./identifiers.ts";
import { readMessages, readPart, readValues } from "./message-text.ts";

const CALLS = 40;

/** Identifiers that the agent typed in one call, or that one text showed to it. */
interface Event {
  readonly kind: "typed" | "shown";
  readonly words: ReadonlySet<string>;
}

/**
 * Identifiers that the agent types in its next 40 calls and has seen before: they occur before the given position, and
 * are not shown again after it before their first use. A name inside of a longer one is a different name; with this
 * rule, the sketch has the recall that METRICS.md states.
 */
export class NeededIdentifiers {
  readonly #messages: readonly Message[];
  readonly #events = new Map<number, readonly Event[]>();
  /** Identifier → first message that has it. Covers the first `#read` messages. */
  readonly #firstSeen = new Map<string, number>();
  #read = 0;

  constructor(messages: readonly Message[]) {
    this.#messages = messages;
  }

  /** The needed identifiers if the window is reduced before the message at this position. */
  at(position: number): string[] {
    this.#readUntil(position);
    const shown = new Set<string>();
    const needed = new Set<string>();
    let calls = 0;
    for (const { kind, words } of this.#eventsFrom(position)) {
      if (kind === "typed") calls += 1;
      if (calls > CALLS) break;
      for (const word of words) {
        if (kind === "shown") shown.add(word);
        else if (!shown.has(word) && this.#isSeenBefore(word, position)) needed.add(word);
      }
    }
    return [...needed];
  }

  *#eventsFrom(position: number): Generator<Event> {
    for (let index = position; index < this.#messages.length; index += 1) yield* this.#eventsOf(index);
  }

  #isSeenBefore(word: string, position: number): boolean {
    return (this.#firstSeen.get(word) ?? position) < position;
  }

  #readUntil(position: number): void {
    for (; this.#read < position; this.#read += 1) {
      const message = this.#messages[this.#read];
      if (message === undefined) return;
      for (const word of findIdentifiers(readMessages([message]))) {
        if (!this.#firstSeen.has(word)) this.#firstSeen.set(word, this.#read);
      }
    }
  }

  #eventsOf(index: number): readonly Event[] {
    const message = this.#messages[index];
    const events = this.#events.get(index) ?? (message === undefined ? [] : readEvents(message));
    this.#events.set(index, events);
    return events;
  }
}

function readEvents(message: Message): Event[] {
  return message.parts.flatMap((part): Event[] => {
    if (part.type === "tool-call") return [{ kind: "typed", words: findIdentifiers(readValues(part.input)) }];
    const isShown = part.type === "tool-result" || (message.role === "user" && part.type === "text");
    return isShown ? [{ kind: "shown", words: findIdentifiers(readPart(part)) }] : [];
  });
}
