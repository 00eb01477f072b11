import { runStepsYielding, yieldToEventLoop } from "../../internal/yield-to-event-loop.ts";
import type { Contradiction, Memory } from "../../ports/memory.ts";
import { discoverLinks } from "../links/discover-links.ts";
import { adjustConfidence } from "./adjust-confidence.ts";
import { ageLevels } from "./age-levels.ts";
import { comparisonKey } from "./comparison-key.ts";
import { isCurrent, wasCurrent } from "./current.ts";
import { FactIndex } from "./fact-index.ts";
import { type ForgetReason, forgetMemories } from "./forget-memories.ts";
import { mergeDuplicates } from "./merge-duplicates.ts";
import { mergeIdentical } from "./merge-identical.ts";
import { contradictedIds, knownPairs, pairKey } from "./pair-key.ts";
import type { FindNeighbors } from "./pairs-to-compare.ts";
import { scanContradictions } from "./scan-contradictions.ts";

/** A step of a consolidation, in the order in which they run. */
export type ConsolidationStep = "merge" | "compress" | "adjust" | "contradictions" | "forget" | "links";

/** A finished step of a consolidation. */
export interface ConsolidationProgress {
  readonly step: ConsolidationStep;
  /** Number of finished steps. */
  readonly done: number;
  /** Number of all steps. */
  readonly of: number;
  /** Number of memories, contradictions or links that the step changes. */
  readonly count: number;
}

export interface ConsolidationOptions {
  readonly now: number;
  /** Gives the ids of the contradictions that are opened. */
  readonly newId: () => string;
  /** The vectors of facts by id, all of one embedder. Without them only facts with the same words are merged. */
  readonly vectors?: ReadonlyMap<string, Float32Array>;
  /** Facts that are similar by what they mean. Without it, similar words decide what is compared. */
  readonly neighbors?: FindNeighbors;
  /** Look for contradictions only with facts that are new, or were said again, since then. */
  readonly since?: number;
  /** Whether the turn that a memory was taken from is still there and found. */
  readonly standsAsTurn?: (memory: Memory) => boolean;
  /** Memories that somebody has brought back: they are not merged, and not put away because they are not used. */
  readonly restoredIds?: ReadonlySet<string>;
  readonly onProgress?: (progress: ConsolidationProgress) => void;
}

export interface ConsolidationPlan {
  readonly deduped: number;
  readonly compressed: number;
  readonly adjusted: number;
  readonly contradictionsFound: number;
  readonly forgotten: number;
  readonly linked: number;
  /** The memories that change, as they shall be, in the order of their ids. */
  readonly memories: readonly Memory[];
  /** The contradictions that are opened. */
  readonly contradictions: readonly Contradiction[];
  /** Merged memories with the one that each was merged into. */
  readonly merged: ReadonlyMap<string, string>;
  /** Memories that are put away, and why. */
  readonly reasons: ReadonlyMap<string, ForgetReason>;
}

const STEPS: readonly ConsolidationStep[] = ["merge", "compress", "adjust", "contradictions", "forget", "links"];

/**
 * The housekeeping of one space, planned: duplicates merged, old episodes told in short, confidence adjusted to use,
 * contradictions opened, what nobody needs put away, and connections found. Nothing is deleted, and the same memories
 * always give the same plan; planned again over its own result, at the same moment, it changes nothing.
 *
 * @example
 * const plan = await planConsolidation(memories, contradictions, { now: Date.now(), newId });
 * console.log(plan.deduped, plan.forgotten);
 */
export async function planConsolidation(
  memories: readonly Memory[],
  contradictions: readonly Contradiction[],
  options: ConsolidationOptions,
): Promise<ConsolidationPlan> {
  const inOrder = [...memories].sort((a, b) => (a.id < b.id ? -1 : 1));
  const facts = inOrder.filter((memory) => memory.kind === "fact" && wasCurrent(memory, options.now));
  const indexes: FactIndex[] = [];
  for (const said of Map.groupBy(facts, comparisonKey).values())
    indexes.push(await runStepsYielding(FactIndex.of(said)));
  return new Consolidation(inOrder, contradictions, indexes, options).run();
}

/** One pass over the memories of a space, step by step, each over what the one before has left. */
class Consolidation {
  readonly #options: ConsolidationOptions;
  readonly #before: ReadonlyMap<string, Memory>;
  readonly #memories: Map<string, Memory>;
  readonly #known: readonly Contradiction[];
  readonly #indexes: readonly FactIndex[];

  constructor(
    memories: readonly Memory[],
    contradictions: readonly Contradiction[],
    indexes: readonly FactIndex[],
    options: ConsolidationOptions,
  ) {
    this.#options = options;
    this.#known = contradictions;
    this.#before = new Map(memories.map((memory) => [memory.id, memory]));
    this.#memories = new Map(this.#before);
    this.#indexes = indexes;
  }

  async run(): Promise<ConsolidationPlan> {
    const merged = this.#report("merge", await this.#merge());
    await yieldToEventLoop();
    const compressed = this.#report("compress", this.#compress());
    await yieldToEventLoop();
    const adjusted = this.#report("adjust", this.#adjust());
    await yieldToEventLoop();
    const opened = this.#report("contradictions", await this.#scan());
    await yieldToEventLoop();
    const reasons = this.#report("forget", this.#forget(opened));
    await yieldToEventLoop();
    const linked = this.#report("links", await this.#link());
    return {
      deduped: merged.size,
      compressed: compressed.size,
      adjusted: adjusted.size,
      contradictionsFound: opened.length,
      forgotten: reasons.size,
      linked: linked.length,
      memories: [...this.#memories.values()].filter((memory) => memory !== this.#before.get(memory.id)),
      contradictions: opened,
      merged,
      reasons,
    };
  }

  #report<T extends { readonly size: number } | { readonly length: number }>(step: ConsolidationStep, result: T): T {
    const count = "size" in result ? result.size : result.length;
    this.#options.onProgress?.({ step, done: STEPS.indexOf(step) + 1, of: STEPS.length, count });
    return result;
  }

  async #merge(): Promise<ReadonlyMap<string, string>> {
    const { now, vectors, restoredIds } = this.#options;
    const open = contradictedIds(this.#known);
    const apart = knownPairs(this.#known);
    const options = {
      now,
      isFixed: (id: string) => open.has(id) || restoredIds?.has(id) === true,
      areApart: (a: string, b: string) => apart.has(pairKey(a, b)),
      ...(vectors && { vectors }),
    };
    const changed: ReadonlyMap<string, Memory>[] = [];
    for (const index of this.#indexes) changed.push(await mergeDuplicates(index, this.#memories, options));
    changed.push(mergeIdentical(this.#memories, options));
    const merged = new Map<string, string>();
    for (const memory of changed.flatMap((some) => [...some.values()])) {
      this.#memories.set(memory.id, memory);
      if (memory.archivedAt !== undefined) merged.set(memory.id, memory.supersededBy ?? "");
    }
    return merged;
  }

  #compress(): ReadonlySet<string> {
    const { now } = this.#options;
    const changed = this.#change((memory) => ageLevels(memory, now));
    return new Set([...changed].filter((id) => this.#memories.get(id)?.servedLevel !== undefined));
  }

  #adjust(): ReadonlySet<string> {
    return this.#change(adjustConfidence);
  }

  #scan(): Promise<readonly Contradiction[]> {
    return scanContradictions(this.#indexes, this.#memories, this.#known, this.#options);
  }

  #forget(opened: readonly Contradiction[]): ReadonlyMap<string, ForgetReason> {
    const { now, restoredIds } = this.#options;
    const open = contradictedIds([...this.#known, ...opened]);
    const isFixed = (id: string) => open.has(id) || restoredIds?.has(id) === true;
    const reasons = forgetMemories(this.#indexes, this.#memories, { ...this.#options, isFixed });
    for (const id of reasons.keys()) {
      const memory = this.#memories.get(id);
      if (memory !== undefined) this.#memories.set(id, { ...memory, archivedAt: now });
    }
    return reasons;
  }

  async #link(): Promise<readonly string[]> {
    const { changed, added } = await runStepsYielding(discoverLinks([...this.#memories.values()], this.#options.now));
    for (const memory of changed) this.#memories.set(memory.id, memory);
    return added;
  }

  /** Changes the memories that hold, one by one. */
  #change(change: (memory: Memory) => Memory): ReadonlySet<string> {
    const changed = new Set<string>();
    for (const [id, memory] of this.#memories) {
      const next = isCurrent(memory, this.#options.now) ? change(memory) : memory;
      if (next === memory) continue;
      this.#memories.set(id, next);
      changed.add(id);
    }
    return changed;
  }
}
