import type { Memory } from "../../ports/memory.ts";
import { isCurrent } from "../consolidate/current.ts";
import { weighPairs } from "./weigh-pairs.ts";

/** Maximum number of links per memory. */
export const MAX_LINKS = 8;
/** Maximum number of `supersededBy` steps to follow from a replaced memory to its current successor. */
const MAX_CHAIN = 8;

export interface LinkPlan {
  /** Memories with changed links. */
  readonly changed: readonly Memory[];
  /** New links, as pairs of ids joined by a line break. */
  readonly added: readonly string[];
}

/**
 * Links memories that name the same people, things, files or artifacts, or come from the same session. Links go both
 * ways, at most eight per memory. Existing links between current memories are kept; a link to a merged or replaced
 * memory moves to its successor. Yields between memories, so that the caller can let other tasks run.
 */
export function* discoverLinks(memories: readonly Memory[], now: number): Generator<undefined, LinkPlan> {
  const current = memories.filter((memory) => isCurrent(memory, now));
  const links = new LinkGraph(current, memories);
  yield;
  links.keepExisting();
  yield;
  const added: string[] = [];
  for (const { a, b } of yield* weighPairs(current, memories, now)) {
    if (links.connect(a.id, b.id)) added.push(`${a.id}\n${b.id}`);
    yield;
  }
  const changed = current.flatMap((memory) => {
    const next = links.of(memory);
    return isSameList(next, memory.links) ? [] : [{ ...memory, links: next }];
  });
  return { changed, added };
}

/** Links of current memories while they are changed. */
class LinkGraph {
  readonly #all: ReadonlyMap<string, Memory>;
  readonly #current: ReadonlyMap<string, Memory>;
  readonly #links = new Map<string, Set<string>>();

  constructor(current: readonly Memory[], all: readonly Memory[]) {
    this.#all = new Map(all.map((memory) => [memory.id, memory]));
    this.#current = new Map(current.map((memory) => [memory.id, memory]));
  }

  /** Adds existing links, mutual ones first, so that no other link takes one of their places. */
  keepExisting(): void {
    const wanted = new Map([...this.#current.values()].map((memory) => [memory.id, this.#currentTargets(memory)]));
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

  /** Links two memories. Returns false if they are linked already, or if either has the maximum number of links. */
  connect(a: string, b: string): boolean {
    const [mine, yours] = [this.#links.get(a), this.#links.get(b)];
    if (a === b || mine === undefined || yours === undefined || mine.has(b)) return false;
    if (mine.size >= MAX_LINKS || yours.size >= MAX_LINKS) return false;
    mine.add(b);
    yours.add(a);
    return true;
  }

  /** Links of a memory: existing ones in their order, then new ones. */
  of({ id, links }: Memory): readonly string[] {
    const mine = this.#links.get(id) ?? new Set<string>();
    return [...new Set([...links.filter((link) => mine.has(link)), ...mine])];
  }

  /**
   * Targets of a memory's links, with replaced memories resolved. Unknown ids are kept: they may be in another space.
   */
  #currentTargets({ id, links }: Memory): readonly string[] {
    return [...new Set(links.flatMap((link) => this.#follow(link) ?? []))].filter((link) => link !== id);
  }

  #follow(link: string): string | undefined {
    let memory = this.#all.get(link);
    if (memory === undefined) return link;
    for (let steps = 0; steps < MAX_CHAIN && memory !== undefined; steps += 1) {
      if (this.#current.has(memory.id)) return memory.id;
      memory = this.#all.get(memory.supersededBy ?? "");
    }
    return undefined;
  }
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item, at) => item === b[at]);
}
