import type { Message } from "throughline";
import { type NameUse, NeededNames, readNameUses } from "throughline/internal/inspect";
import { findIdentifiers } from "./identifiers.ts";

/**
 * Identifiers that the agent types in its next 40 calls and has seen before: they occur before the given position, and
 * are not shown again after it before their first use. A name inside of a longer one is a different name; with this
 * rule, the sketch has the recall that METRICS.md states.
 */
export class NeededIdentifiers {
  readonly #messages: readonly Message[];
  readonly #uses = new Map<number, readonly NameUse[]>();
  /** Identifier → first message that has it. Covers the first `#read` messages. */
  readonly #firstSeen = new Map<string, number>();
  #read = 0;

  constructor(messages: readonly Message[]) {
    this.#messages = messages;
  }

  /** The needed identifiers if the window is reduced before the message at this position. */
  at(position: number): string[] {
    this.#readUntil(position);
    const needed = new NeededNames((word) => (this.#firstSeen.get(word) ?? position) < position);
    for (let index = position; index < this.#messages.length && !needed.isComplete; index += 1) {
      needed.take(this.#usesOf(index));
    }
    return [...needed.typed.keys()];
  }

  #readUntil(position: number): void {
    for (; this.#read < Math.min(position, this.#messages.length); this.#read += 1) {
      for (const { names } of this.#usesOf(this.#read)) {
        for (const name of names) if (!this.#firstSeen.has(name)) this.#firstSeen.set(name, this.#read);
      }
    }
  }

  #usesOf(index: number): readonly NameUse[] {
    const message = this.#messages[index];
    const uses = this.#uses.get(index) ?? (message === undefined ? [] : readNameUses(message, findIdentifiers));
    this.#uses.set(index, uses);
    return uses;
  }
}
