import { InvalidOptionError } from "../../errors/input-errors.ts";
import { NotFoundError } from "../../errors/store-errors.ts";
import { omitUndefined, tryParseJson } from "../../internal/json.ts";
import type { ChatFact } from "../../memory/facts/fact-rules.ts";
import type { Remembered } from "../../memory/memory-api.ts";
import type { MemoryService } from "../../memory/memory-service.ts";
import type { FactCategory, Memory } from "../../ports/memory.ts";
import { CATEGORIES, type MemoryFact } from "../memory-fact.ts";
import type { NewFact } from "./fact-book.ts";
import type { StoredText } from "./removals.ts";

/** Methods of the memory service that a fact book uses. */
export type FactBookMemory = Pick<MemoryService, "list" | "remember" | "update" | "forget" | "purge">;

/** Saves a note with the user's own text. */
export async function rememberByHand(
  memory: FactBookMemory,
  { text, source, category, keepSecrets }: NewFact & { readonly category: FactCategory },
): Promise<Remembered> {
  const place = source && { sessionId: source.conversationId, messageId: source.messageId, quote: text };
  // Selected text counts as saved by hand, although its source is known.
  const remembered = await memory.remember(omitUndefined({ text, category, source: place, byHand: true, keepSecrets }));
  const { id, category: known } = remembered.memory;
  // A known memory without a category becomes a chat fact.
  return known === undefined ? { ...remembered, memory: await memory.update(id, { category }) } : remembered;
}

/** Restores a fact, without a pin, or with one if a pin is left. */
export async function restoreFact(memory: FactBookMemory, id: string, pinned: boolean): Promise<Memory> {
  if (!pinned) return memory.update(id, { archived: false, pinned });
  const back = await memory.update(id, { archived: false });
  try {
    return await memory.update(id, { pinned });
  } catch (error) {
    if (error instanceof InvalidOptionError) return back;
    throw error;
  }
}

/** Erases facts together. Facts that were erased meanwhile are skipped. */
export async function eraseFacts(memory: FactBookMemory, ids: readonly string[]): Promise<void> {
  if (ids.length === 0 || (await isErased(memory, ids))) return;
  for (const id of ids) await isErased(memory, [id]);
}

/** Returns `false` if one of them does not exist; nothing is erased then. */
async function isErased(memory: FactBookMemory, ids: readonly string[]): Promise<boolean> {
  try {
    await memory.purge(ids);
    return true;
  } catch (error) {
    if (error instanceof NotFoundError) return false;
    throw error;
  }
}

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
