import { NotFoundError } from "../../errors/not-found-error.ts";
import { tryParseJson } from "../../internal/json.ts";
import type { FactCategory } from "../../ports/memory.ts";
import type { MemoryFact } from "../memory-fact.ts";
import { CATEGORIES } from "./classify-fact.ts";
import type { TombstoneKeep } from "./tombstone.ts";
import { bringBackFact, type FactBookMemory } from "./write-facts.ts";

/** Where a fact goes: out, or in its place with a pin or without; or to a category, which is told apart from that. */
type Goal = "deleted" | "pinned" | "unpinned" | FactCategory;

export type Moves = Readonly<Record<string, Goal>>;

type Move = readonly [id: string, goal: Goal];

const PLACES: readonly unknown[] = ["deleted", "pinned", "unpinned"] satisfies Goal[];

/** Where facts go that are to be there, each with its pin or without. */
export function inPlace(facts: readonly Pick<MemoryFact, "id" | "pinned">[]): Moves {
  return Object.fromEntries(facts.map(({ id, pinned }) => [id, pinned ? "pinned" : "unpinned"] as const));
}

/**
 * Facts on their way elsewhere, written down at once. The store takes a moment: a tab that is closed in that moment
 * leaves behind what the next one finishes.
 */
export class UnfinishedMoves {
  readonly #keep: TombstoneKeep | undefined;

  constructor(keep: TombstoneKeep | undefined) {
    this.#keep = keep;
  }

  /** Writes down where facts go, by id. The result is to be called when they are there. */
  note(moves: Moves): () => void {
    const others = this.#read().filter(([id, goal]) => !isReplaced(goal, moves[id]));
    this.#write([...others, ...Object.entries(moves)]);
    return () => this.#end(moves);
  }

  /** Brings facts where a closed tab did not. */
  async finish(memory: FactBookMemory): Promise<void> {
    for (const [id, goal] of this.#read()) {
      // The tab that began it may have ended it meanwhile, or gone another way.
      if (!this.#read().some((move) => move[0] === id && move[1] === goal)) continue;
      await move(memory, id, goal);
      this.#end({ [id]: goal });
    }
  }

  #end(moves: Moves): void {
    this.#write(this.#read().filter(([id, goal]) => moves[id] !== goal));
  }

  #read(): readonly Move[] {
    try {
      const value = tryParseJson(this.#keep?.read() ?? "")?.value;
      return Array.isArray(value) ? value.filter(isMove) : [];
    } catch {
      return [];
    }
  }

  #write(moves: readonly Move[]): void {
    try {
      this.#keep?.write(moves.length === 0 ? undefined : JSON.stringify(moves));
    } catch {
      // Where nothing can be written down the store alone has the word.
    }
  }
}

function isMove(value: unknown): value is Move {
  if (!Array.isArray(value)) return false;
  const [id, goal] = value;
  return typeof id === "string" && (PLACES.includes(goal) || CATEGORIES.includes(goal));
}

/** Whether a later goal takes the place of an earlier one. */
function isReplaced(earlier: Goal, later: Goal | undefined): boolean {
  return later !== undefined && PLACES.includes(later) === PLACES.includes(earlier);
}

async function move(memory: FactBookMemory, id: string, goal: Goal): Promise<void> {
  try {
    if (goal === "deleted") await memory.forget(id);
    else if (goal === "pinned" || goal === "unpinned") await bringBackFact(memory, id, goal === "pinned");
    else await memory.update(id, { category: goal });
  } catch (error) {
    // It was erased since.
    if (!(error instanceof NotFoundError)) throw error;
  }
}
