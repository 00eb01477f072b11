import type { ChatFact } from "../../memory/facts/fact-rules.ts";
import type { Memory } from "../../ports/memory.ts";

/** A fact as it will be when what is under way is done. */
export type Change = (fact: ChatFact) => ChatFact;

/** The facts as they were last read, and what is being changed in them: reading them anew does not lose that. */
export class OptimisticFacts {
  #stored = new Map<string, ChatFact>();
  readonly #changes = new Set<Change>();

  /** With what is under way. */
  all(): readonly ChatFact[] {
    return [...this.#stored.values()].map((fact) => {
      let changed = fact;
      for (const change of this.#changes) changed = change(changed);
      return changed;
    });
  }

  /** As it stands in the store, as far as that is known. */
  stored(id: string): ChatFact | undefined {
    return this.#stored.get(id);
  }

  replaceAll(facts: readonly ChatFact[]): void {
    this.#stored = new Map(facts.map((fact) => [fact.id, fact]));
  }

  /** Takes over what the store gave back for a change. */
  put(memory: Memory): void {
    const { category } = memory;
    if (category !== undefined) this.#stored.set(memory.id, { ...memory, category });
  }

  /** Shows a change until the result is called. */
  show(change: Change): () => void {
    // One function may be shown twice, and each time has an end of its own.
    const own: Change = (fact) => change(fact);
    this.#changes.add(own);
    return () => this.#changes.delete(own);
  }
}
