import { NotFoundError } from "../../errors/store-errors.ts";
import { tryParseJson } from "../../internal/json.ts";
import type { FactCategory } from "../../ports/memory.ts";
import { CATEGORIES, type MemoryFact } from "../memory-fact.ts";
import type { StoredText } from "./removals.ts";
import { type FactBookMemory, restoreFact } from "./write-facts.ts";

/** Target state of a fact: deleted, or current with or without a pin; or a category, which is independent of that. */
type TargetState = "deleted" | "pinned" | "unpinned" | FactCategory;

export type TargetStates = Readonly<Record<string, TargetState>>;

type Move = readonly [id: string, goal: TargetState];

const PLACES: readonly unknown[] = ["deleted", "pinned", "unpinned"] satisfies TargetState[];

/** Target states of facts that should be current, with their pins. */
export function inPlace(facts: readonly Pick<MemoryFact, "id" | "pinned">[]): TargetStates {
  return Object.fromEntries(facts.map(({ id, pinned }) => [id, pinned ? "pinned" : "unpinned"] as const));
}

/**
 * Changes that are not stored yet, recorded synchronously. If a tab is closed in that moment, the next one completes
 * them.
 */
export class UnfinishedChanges {
  readonly #stored: StoredText | undefined;

  constructor(stored: StoredText | undefined) {
    this.#stored = stored;
  }

  /** Records target states by id. Call the result when they are stored. */
  note(moves: TargetStates): () => void {
    const others = this.#read().filter(([id, goal]) => !isReplaced(goal, moves[id]));
    this.#write([...others, ...Object.entries(moves)]);
    return () => this.#end(moves);
  }

  /** Completes the changes of a closed tab. */
  async finish(memory: FactBookMemory): Promise<void> {
    for (const [id, goal] of this.#read()) {
      // The tab that started the change may have completed or replaced it meanwhile.
      if (!this.#read().some((move) => move[0] === id && move[1] === goal)) continue;
      await move(memory, id, goal);
      this.#end({ [id]: goal });
    }
  }

  #end(moves: TargetStates): void {
    this.#write(this.#read().filter(([id, goal]) => moves[id] !== goal));
  }

  #read(): readonly Move[] {
    try {
      const value = tryParseJson(this.#stored?.read() ?? "")?.value;
      return Array.isArray(value) ? value.filter(isMove) : [];
    } catch {
      return [];
    }
  }

  #write(moves: readonly Move[]): void {
    try {
      this.#stored?.write(moves.length === 0 ? undefined : JSON.stringify(moves));
    } catch {
      // Without local storage only the store counts.
    }
  }
}

function isMove(value: unknown): value is Move {
  if (!Array.isArray(value)) return false;
  const [id, goal] = value;
  return typeof id === "string" && (PLACES.includes(goal) || CATEGORIES.includes(goal));
}

/** True if a later target state replaces an earlier one. */
function isReplaced(earlier: TargetState, later: TargetState | undefined): boolean {
  return later !== undefined && PLACES.includes(later) === PLACES.includes(earlier);
}

async function move(memory: FactBookMemory, id: string, goal: TargetState): Promise<void> {
  try {
    if (goal === "deleted") await memory.forget(id);
    else if (goal === "pinned" || goal === "unpinned") await restoreFact(memory, id, goal === "pinned");
    else await memory.update(id, { category: goal });
  } catch (error) {
    // The fact was erased meanwhile.
    if (!(error instanceof NotFoundError)) throw error;
  }
}
