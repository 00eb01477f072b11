import type { ChatFact } from "../../memory/facts/fact-rules.ts";
import type { Memory } from "../../ports/memory.ts";

/** Applies a pending change to a fact. */
export type Change = (fact: ChatFact) => ChatFact;

/** Stored facts with pending changes on top. Reloading keeps the pending changes. */
export class OptimisticFacts {
  #stored = new Map<string, ChatFact>();
  readonly #changes = new Set<Change>();

  /** All facts with pending changes. */
  all(): readonly ChatFact[] {
    return [...this.#stored.values()].map((fact) => {
      let changed = fact;
      for (const change of this.#changes) changed = change(changed);
      return changed;
    });
  }

  /** The stored fact, if it is loaded. */
  stored(id: string): ChatFact | undefined {
    return this.#stored.get(id);
  }

  replaceAll(facts: readonly ChatFact[]): void {
    this.#stored = new Map(facts.map((fact) => [fact.id, fact]));
  }

  /** Takes over the stored result of a change. */
  put(memory: Memory): void {
    const { category } = memory;
    if (category !== undefined) this.#stored.set(memory.id, { ...memory, category });
  }

  /** Shows a change until the returned function is called. */
  show(change: Change): () => void {
    // A function may be passed twice; each call ends separately.
    const own: Change = (fact) => change(fact);
    this.#changes.add(own);
    return () => this.#changes.delete(own);
  }
}
