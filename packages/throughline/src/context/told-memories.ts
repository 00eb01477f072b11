import type { Memory } from "../ports/memory.ts";
import type { MemoryStore } from "../ports/memory-store.ts";
import type { CatalogueEntry } from "./catalogue-entry.ts";
import { type Told, tellForms } from "./tiers/tell-forms.ts";

/** Memories whose texts are kept at hand; beyond them those that were not asked for longest are let go. */
const MAX_HELD = 5_000;

interface Held {
  readonly entry: CatalogueEntry;
  readonly told: Told;
}

/** What memories say at each length. A memory that changes has another entry, and is read again. */
export class ToldMemories {
  readonly #shelf: MemoryStore;
  readonly #held = new Map<string, Held>();

  constructor(shelf: MemoryStore) {
    this.#shelf = shelf;
  }

  /** By id; without those that do not hold any more. */
  async read(entries: Iterable<CatalogueEntry>): Promise<ReadonlyMap<string, Told>> {
    const wanted = [...new Set(entries)];
    const unknown = wanted.filter((entry) => this.#held.get(entry.id)?.entry !== entry);
    const loaded = await Promise.all(
      [...Map.groupBy(unknown, ({ space }) => space)].map(async ([space, some]) => {
        const memories = await this.#shelf.memories(
          space,
          some.map(({ id }) => id),
        );
        return memories.filter(holds);
      }),
    );
    const fresh = new Map(loaded.flat().map((memory) => [memory.id, memory]));
    const told = new Map<string, Told>();
    for (const entry of wanted) {
      const known = this.#tell(entry, fresh.get(entry.id));
      if (known !== undefined) told.set(entry.id, known);
    }
    this.#letGo();
    return told;
  }

  #tell(entry: CatalogueEntry, memory: Memory | undefined): Told | undefined {
    const known = this.#held.get(entry.id);
    const told = memory === undefined ? (known?.entry === entry ? known.told : undefined) : tellForms(memory);
    if (told === undefined) return undefined;
    this.#held.delete(entry.id);
    this.#held.set(entry.id, { entry, told });
    return told;
  }

  #letGo(): void {
    for (const id of this.#held.keys()) {
      if (this.#held.size <= MAX_HELD) return;
      this.#held.delete(id);
    }
  }
}

function holds({ validTo, archivedAt }: Memory): boolean {
  return validTo === undefined && archivedAt === undefined;
}
