import { NotFoundError } from "../../errors/not-found-error.ts";
import { isRecord, tryParseJson } from "../../message/read-json.ts";
import type { TombstoneKeep } from "./tombstone.ts";
import { bringBackFact, type FactBookMemory } from "./write-facts.ts";

/** Where a fact goes: out, or back as it was. */
export type Goal = "deleted" | "restored" | "pinned";

type Moves = Readonly<Record<string, Goal>>;

const GOALS: readonly unknown[] = ["deleted", "restored", "pinned"] satisfies Goal[];

/**
 * Facts on their way out or back, written down at once. The store takes a moment: a tab that is closed in that moment
 * leaves behind what the next one finishes.
 */
export class UnfinishedMoves {
  readonly #keep: TombstoneKeep | undefined;

  constructor(keep: TombstoneKeep | undefined) {
    this.#keep = keep;
  }

  /** Writes down where facts go, by id. The result is to be called when they are there. */
  note(moves: Moves): () => void {
    this.#write({ ...this.#read(), ...moves });
    return () => this.#end(moves);
  }

  /** Brings facts where a closed tab did not. */
  async finish(memory: FactBookMemory): Promise<void> {
    for (const [id, goal] of Object.entries(this.#read())) {
      // The tab that began it may have ended it meanwhile, or gone another way.
      if (this.#read()[id] !== goal) continue;
      await move(memory, id, goal);
      this.#end({ [id]: goal });
    }
  }

  #end(moves: Moves): void {
    const left = Object.entries(this.#read()).filter(([id, goal]) => moves[id] !== goal);
    this.#write(Object.fromEntries(left));
  }

  #read(): Moves {
    try {
      const value = tryParseJson(this.#keep?.read() ?? "")?.value;
      if (!isRecord(value)) return {};
      return Object.fromEntries(
        Object.entries(value).filter((entry): entry is [string, Goal] => GOALS.includes(entry[1])),
      );
    } catch {
      return {};
    }
  }

  #write(moves: Moves): void {
    try {
      this.#keep?.write(Object.keys(moves).length === 0 ? undefined : JSON.stringify(moves));
    } catch {
      // Where nothing can be written down the store alone has the word.
    }
  }
}

async function move(memory: FactBookMemory, id: string, goal: Goal): Promise<void> {
  try {
    await (goal === "deleted" ? memory.forget(id) : bringBackFact(memory, id, goal === "pinned"));
  } catch (error) {
    // It was erased since.
    if (!(error instanceof NotFoundError)) throw error;
  }
}
