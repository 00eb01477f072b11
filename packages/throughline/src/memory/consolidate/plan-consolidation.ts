import { omitUndefined } from "../../internal/json.ts";
import { runStepsYielding, sortYielding, yieldToEventLoop } from "../../internal/yield-to-event-loop.ts";
import type { Contradiction, Memory, MemoryLevels } from "../../ports/memory.ts";
import { buildLevels } from "../text-levels/build-levels.ts";
import { discoverLinks } from "./discover-links.ts";
import {
  COMPRESS_AFTER,
  contradictedIds,
  type FactIndex,
  indexFacts,
  isCurrent,
  knownPairs,
  pairKey,
  SUMMARIZE_AFTER,
  wasCurrent,
} from "./fact-index.ts";
import { type ForgetReason, forgetMemories } from "./forget-memories.ts";
import { type FactVector, mergeDuplicates, mergeIdentical } from "./merge-duplicates.ts";
import { type FindNeighbors, scanContradictions } from "./scan-contradictions.ts";

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
  /** Generates the ids of new contradictions. */
  readonly newId: () => string;
  /** Vectors of facts by id, all from one embedder. Without them, only facts with the same words are merged. */
  readonly vectors?: ReadonlyMap<string, FactVector>;
  /** Returns semantically similar facts. Without it, only facts with similar words are compared. */
  readonly neighbors?: FindNeighbors;
  /** Compares only pairs with a fact that was created or mentioned again since this time. */
  readonly since?: number;
  /** True if the turn that a memory was extracted from is stored and can be recalled. */
  readonly hasStoredTurn?: (memory: Memory) => boolean;
  /** Memories that a user restored with an undo. They are not merged or archived, except by eviction. */
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
  /** New versions of the changed memories, ordered by id. */
  readonly memories: readonly Memory[];
  /** New contradictions. */
  readonly contradictions: readonly Contradiction[];
  /** Id of each merged memory, with the id of the memory that it was merged into. */
  readonly merged: ReadonlyMap<string, string>;
  /** Reason for each archived memory, by id. Merged memories are not included. */
  readonly reasons: ReadonlyMap<string, ForgetReason>;
}

const STEPS: readonly ConsolidationStep[] = ["merge", "compress", "adjust", "contradictions", "forget", "links"];

/**
 * Plans the consolidation of one space: merges duplicates, shortens old episodes, adjusts confidence to use, finds
 * contradictions, archives memories that are not needed, and links related ones. Nothing is deleted. The plan is
 * deterministic and idempotent: a second run on its result, at the same time, changes nothing.
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
  const inOrder = await sortYielding(memories, (a, b) => (a.id < b.id ? -1 : 1));
  const facts = inOrder.filter((memory) => memory.kind === "fact" && wasCurrent(memory, options.now));
  const indexes = await indexFacts(facts);
  return new Consolidation(inOrder, contradictions, indexes, options).run();
}

/** One run over the memories of a space. Each step works on the result of the previous one. */
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
    const distinctPairs = knownPairs(this.#known);
    const options = {
      now,
      isFixed: (id: string) => open.has(id) || restoredIds?.has(id) === true,
      areApart: (a: string, b: string) => distinctPairs.has(pairKey(a, b)),
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

  /** Applies a change to each current memory and returns the ids of those that differ. */
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

/** Minimum confidence of a memory with this many citations: `base + span × share of citations`. */
const CITED = { cited: 2, base: 0.5, span: 0.45 };
/** Maximum confidence of a memory that was ignored this often and cited in less than this share of its uses. */
const IGNORED = { ignored: 5, share: 0.25, base: 0.6, span: 0.6 };
/** A fact that the user repeated this often is not demoted for being ignored. */
const EXEMPT_MENTIONS = 3;

/**
 * Adjusts the confidence of a memory to its use: citations set a minimum, being ignored again and again sets a maximum.
 * The bounds depend on the counts alone, so a second run changes nothing. Retrievals do not count, because they say
 * nothing about usefulness. Memories that are pinned, saved by hand or mentioned often are not demoted.
 */
export function adjustConfidence(memory: Memory): Memory {
  const { cited, ignored } = memory.usage;
  const share = (cited + 1) / (cited + ignored + 2);
  const floor = cited >= CITED.cited ? CITED.base + CITED.span * share : 0;
  const isDemoted = ignored >= IGNORED.ignored && share < IGNORED.share && !isExempt(memory);
  const ceiling = isDemoted ? IGNORED.base + IGNORED.span * share : 1;
  const confidence = Math.min(Math.max(memory.confidence, floor), ceiling);
  return confidence === memory.confidence ? memory : { ...memory, confidence };
}

function isExempt({ pinned, byHand, mentions }: Memory): boolean {
  return pinned || byHand || mentions >= EXEMPT_MENTIONS;
}

/** Texts up to this length may be their own summary. */
const SHORT_TEXT = 200;
const SHORTER = ["summary", "compressed", "index"] as const;

/**
 * Sets the level at which an episode is served by its age: the summary after a week, one line after a month, the full
 * text again once it is mentioned again. The full text is kept; missing levels are built by rules. Pinned episodes and
 * memories of other kinds stay unchanged.
 */
export function ageLevels(memory: Memory, now: number): Memory {
  if (memory.kind !== "episode") return memory;
  const servedLevel = servedAt(memory, now);
  const levels = servedLevel === undefined ? memory.levels : fillLevels(memory);
  if (servedLevel === memory.servedLevel && levels === memory.levels) return memory;
  return omitUndefined({ ...memory, levels, servedLevel });
}

function servedAt({ pinned, lastSeenAt }: Memory, now: number): Memory["servedLevel"] {
  const age = now - lastSeenAt;
  if (pinned || age <= SUMMARIZE_AFTER) return undefined;
  return age > COMPRESS_AFTER ? "compressed" : "summary";
}

/** Builds missing levels; returns the same object if none is missing or the rules give nothing shorter. */
function fillLevels({ kind, levels }: Memory): MemoryLevels {
  const missing = SHORTER.filter((level) => isMissing(levels[level], levels.full));
  if (missing.length === 0) return levels;
  const built = buildLevels({ kind, text: levels.full });
  const filled = missing.filter((level) => built[level] !== levels[level]).map((level) => [level, built[level]]);
  return filled.length === 0 ? levels : { ...levels, ...Object.fromEntries(filled) };
}

function isMissing(level: string, full: string): boolean {
  return level.trim() === "" || (level === full && full.length > SHORT_TEXT);
}
