import type { Memory } from "../../ports/memory.ts";
import { isCurrent } from "../consolidate/current.ts";
import { weighPairs } from "./weigh-pairs.ts";

/** The links of a memory, at the most. */
export const MAX_LINKS = 8;
/** So many memories that took each other's place are followed. */
const MAX_CHAIN = 8;

export interface LinkPlan {
  /** The memories whose links change. */
  readonly changed: readonly Memory[];
  /** The pairs that are connected now and were not before. */
  readonly added: readonly string[];
}

/**
 * Connects memories that name the same people, things, files or artifacts, or come from one session. Links go both ways.
 * Those that are there stay, as long as both memories hold: where one was merged or replaced, they go on to what took
 * its place. No memory gets more than eight. Done in steps, between which other tasks may run.
 */
export function* discoverLinks(memories: readonly Memory[], now: number): Generator<undefined, LinkPlan> {
  const holding = memories.filter((memory) => isCurrent(memory, now));
  const links = new LinkBook(holding, memories);
  yield;
  links.keepKnown();
  yield;
  const added: string[] = [];
  for (const { a, b } of yield* weighPairs(holding, memories, now)) {
    if (links.connect(a.id, b.id)) added.push(`${a.id}\n${b.id}`);
    yield;
  }
  const changed = holding.flatMap((memory) => {
    const next = links.of(memory);
    return isSameList(next, memory.links) ? [] : [{ ...memory, links: next }];
  });
  return { changed, added };
}

/** The links of memories while they are worked on. */
class LinkBook {
  readonly #all: ReadonlyMap<string, Memory>;
  readonly #holding: ReadonlyMap<string, Memory>;
  readonly #links = new Map<string, Set<string>>();

  constructor(holding: readonly Memory[], all: readonly Memory[]) {
    this.#all = new Map(all.map((memory) => [memory.id, memory]));
    this.#holding = new Map(holding.map((memory) => [memory.id, memory]));
  }

  /** First those that both have, so that nothing else takes their room. */
  keepKnown(): void {
    const wanted = new Map([...this.#holding.values()].map((memory) => [memory.id, this.#mended(memory)]));
    for (const [id, targets] of wanted)
      this.#links.set(id, new Set(targets.filter((target) => !this.#all.has(target))));
    for (const isMutual of [true, false]) {
      for (const [id, targets] of wanted) {
        for (const target of targets) {
          if ((wanted.get(target)?.includes(id) ?? false) === isMutual) this.connect(id, target);
        }
      }
    }
  }

  /** Whether two memories are connected by this: they were not, and both have room. */
  connect(a: string, b: string): boolean {
    const [mine, yours] = [this.#links.get(a), this.#links.get(b)];
    if (a === b || mine === undefined || yours === undefined || mine.has(b)) return false;
    if (mine.size >= MAX_LINKS || yours.size >= MAX_LINKS) return false;
    mine.add(b);
    yours.add(a);
    return true;
  }

  /** In the order in which they stood, and then what is new. */
  of({ id, links }: Memory): readonly string[] {
    const mine = this.#links.get(id) ?? new Set<string>();
    return [...new Set([...links.filter((link) => mine.has(link)), ...mine])];
  }

  /** Where its links lead now. What is not known here may be somewhere else, and stays. */
  #mended({ id, links }: Memory): readonly string[] {
    return [...new Set(links.flatMap((link) => this.#follow(link) ?? []))].filter((link) => link !== id);
  }

  #follow(link: string): string | undefined {
    let memory = this.#all.get(link);
    if (memory === undefined) return link;
    for (let steps = 0; steps < MAX_CHAIN && memory !== undefined; steps += 1) {
      if (this.#holding.has(memory.id)) return memory.id;
      memory = this.#all.get(memory.supersededBy ?? "");
    }
    return undefined;
  }
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item, at) => item === b[at]);
}
