import { omitUndefined } from "../../internal/json.ts";
import type { Contradiction, Memory } from "../../ports/memory.ts";
import { newId } from "../ids.ts";
import type { MemoryContext } from "../memory-context.ts";
import { claimOf, openContradiction } from "../reconcile/contradictions.ts";
import { type JudgedRelation, judgeRelations, MAX_JUDGED } from "../reconcile/judge.ts";
import { findCandidates, JUDGED, pairDigest } from "../remember/relate-facts.ts";
import type { SearchSpaces } from "../search/search-spaces.ts";
import type { PlanContext } from "../space/staged-space.ts";
import { SpaceDraft } from "../space/write-changes.ts";
import { buildLevelsWithModel } from "../text-levels/build-levels-with-model.ts";
import { contradictedIds, isCurrent } from "./fact-index.ts";
import { mergeInto } from "./merge-duplicates.ts";
import type { ConsolidationPlan } from "./plan-consolidation.ts";

/**
 * Maximum number of new facts that the model judges per consolidation, newest first. For the others, the verdict of the
 * rules stays.
 */
const MAX_FACTS = 100;

interface NewFacts {
  readonly space: string;
  readonly memories: readonly Memory[];
  readonly known: readonly Contradiction[];
  /** Start of the period: only facts that were created or mentioned since are judged. */
  readonly since: number;
  /** Limits of the work. For facts that were not judged, the verdict of the rules stays. */
  readonly limits: ModelLimits;
}

/**
 * Asks the model, if there is one, about facts that are new since the last consolidation: one call for each, with its
 * candidates. It confirms or drops the contradictions that the rules found. Each pair is judged once.
 */
export async function judgeNewFacts(
  context: MemoryContext,
  search: SearchSpaces,
  plan: ConsolidationPlan,
  facts: NewFacts,
): Promise<ConsolidationPlan> {
  if (context.model === undefined) return plan;
  const judged = new JudgedPlan(plan, facts, context.clock.now());
  const { signal, until } = facts.limits;
  // Nothing is staged: the draft only reads, each list and index once.
  const { context: reading } = new SpaceDraft(context, facts.space);
  for (const memory of judged.newFacts()) {
    if (signal?.aborted || context.clock.now() >= until) break;
    const open = await openCandidates(context, reading, search, facts.space, memory, judged);
    if (open.length === 0) continue;
    const asking = omitUndefined({ logger: context.logger, signal });
    const { relations, failure } = await judgeRelations(claimOf(memory), open.map(claimOf), context.model, asking);
    if (failure !== undefined) continue;
    for (const [at, other] of open.entries()) judged.apply(memory, other, relations[at] ?? "compatible");
    await context.memoryStore.record(facts.space, {
      judgements: open.map((other, at) => ({
        key: pairDigest(memory, other),
        memoryIds: [memory.id, other.id],
        contradicts: relations[at] === "contradicts",
      })),
    });
  }
  return judged.result();
}

/** Candidates that were not judged with this fact yet. */
async function openCandidates(
  context: MemoryContext,
  reading: PlanContext,
  search: SearchSpaces,
  space: string,
  memory: Memory,
  judged: JudgedPlan,
): Promise<readonly Memory[]> {
  const found = await findCandidates(reading, search, memory, { byKind: true });
  const current = [...judged.opposedTo(memory), ...found].filter(({ id }) => judged.isOpen(memory, id));
  const candidates = [...new Map(current.map((one) => [one.id, one])).values()].slice(0, MAX_JUDGED);
  const keys = candidates.map((other) => pairDigest(memory, other));
  const known = await context.memoryStore.get(space, "judgements", keys);
  for (const { key, contradicts } of known) {
    const other = candidates[keys.indexOf(key)];
    if (other !== undefined && !contradicts) judged.apply(memory, other, "compatible");
  }
  return candidates.filter((_, at) => !known.some(({ key }) => key === keys[at]));
}

/** A consolidation plan that changes with the verdicts of the model. */
class JudgedPlan {
  readonly #plan: ConsolidationPlan;
  readonly #facts: NewFacts;
  readonly #now: number;
  readonly #memories: Map<string, Memory>;
  readonly #changed: Map<string, Memory>;
  #contradictions: readonly Contradiction[];
  /** Ids of memories with an open contradiction; `undefined` after a change of the contradictions. */
  #disputed: ReadonlySet<string> | undefined;
  #deduped = 0;

  constructor(plan: ConsolidationPlan, facts: NewFacts, now: number) {
    this.#plan = plan;
    this.#facts = facts;
    this.#now = now;
    this.#changed = new Map(plan.memories.map((memory) => [memory.id, memory]));
    this.#memories = new Map([...facts.memories, ...plan.memories].map((memory) => [memory.id, memory]));
    this.#contradictions = plan.contradictions;
  }

  newFacts(): readonly Memory[] {
    return [...this.#memories.values()]
      .filter(
        (memory) => memory.kind === "fact" && this.#isCurrent(memory.id) && lastStatedAt(memory) >= this.#facts.since,
      )
      .sort((a, b) => lastStatedAt(b) - lastStatedAt(a) || (a.id < b.id ? -1 : 1))
      .slice(0, MAX_FACTS);
  }

  /** The other sides of contradictions that the rules found. */
  opposedTo({ id }: Memory): readonly Memory[] {
    const sides = this.#contradictions.flatMap(({ memoryA, memoryB }) =>
      memoryA === id ? [memoryB] : memoryB === id ? [memoryA] : [],
    );
    return sides.flatMap((side) => this.#memories.get(side) ?? []);
  }

  /** True if the pair still has to be judged: both facts are current, and no contradiction between them is stored. */
  isOpen(memory: Memory, other: string): boolean {
    const isKnown = this.#facts.known.some(({ memoryA, memoryB }) => isPair([memoryA, memoryB], memory.id, other));
    return other !== memory.id && !isKnown && this.#isCurrent(memory.id) && this.#isCurrent(other);
  }

  apply(memory: Memory, other: Memory, relation: JudgedRelation): void {
    if (!this.isOpen(memory, other.id)) return;
    const found = this.#contradictions.find((one) => isPair([one.memoryA, one.memoryB], memory.id, other.id));
    if (found !== undefined) this.#setContradictions(this.#contradictions.filter((one) => one !== found));
    const [older, newer] = other.validFrom <= memory.validFrom ? [other, memory] : [memory, other];
    if (relation === "contradicts") {
      const reason = found?.reason ?? JUDGED;
      const opened = openContradiction(newId("con", this.#now), older, newer, { reason }, this.#now);
      this.#setContradictions([...this.#contradictions, opened]);
    } else if (!this.#isDisputed(older.id) && !this.#isDisputed(newer.id) && older.owner === newer.owner) {
      if (relation === "supersedes") this.#end(older, newer);
      if (relation === "duplicate") this.#merge(older, newer);
    }
  }

  result(): ConsolidationPlan {
    return {
      ...this.#plan,
      memories: [...this.#changed.values()],
      contradictions: this.#contradictions,
      contradictionsFound: this.#contradictions.length,
      deduped: this.#plan.deduped + this.#deduped,
    };
  }

  #isCurrent(id: string): boolean {
    const memory = this.#memories.get(id);
    return memory !== undefined && isCurrent(memory, this.#now);
  }

  #isDisputed(id: string): boolean {
    this.#disputed ??= contradictedIds([...this.#facts.known, ...this.#contradictions]);
    return this.#disputed.has(id);
  }

  #setContradictions(contradictions: readonly Contradiction[]): void {
    this.#contradictions = contradictions;
    this.#disputed = undefined;
  }

  #end(older: Memory, newer: Memory): void {
    const [old, next] = [this.#memories.get(older.id) ?? older, this.#memories.get(newer.id) ?? newer];
    const validTo = Math.max(old.validFrom, next.validFrom);
    this.#set({ ...old, validTo, supersededBy: next.id, pinned: false });
    this.#set({ ...next, supersedes: next.supersedes ?? old.id });
  }

  #merge(older: Memory, newer: Memory): void {
    const changed = new Map<string, Memory>();
    mergeInto(changed, this.#memories.get(older.id) ?? older, this.#memories.get(newer.id) ?? newer, this.#now);
    for (const memory of changed.values()) this.#set(memory);
    this.#deduped += 1;
  }

  #set(memory: Memory): void {
    this.#memories.set(memory.id, memory);
    this.#changed.set(memory.id, memory);
  }
}

function isPair(sides: readonly string[], a: string, b: string): boolean {
  return sides.includes(a) && sides.includes(b);
}

function lastStatedAt({ createdAt, lastSeenAt }: Memory): number {
  return Math.max(createdAt, lastSeenAt);
}

/** Memories summarized by the model per pass; the rest keep their extractive levels. */
const MAX_WRITTEN = 50;

/** Limits for work with the model. */
export interface ModelLimits {
  readonly signal?: AbortSignal | undefined;
  /** Deadline in milliseconds since 1970, by the clock of the context. */
  readonly until: number;
}

/** Has the model, if there is one, rewrite the shorter levels of memories that are now served at a shorter level. */
export async function summarizeOld(
  { model, logger, clock }: MemoryContext,
  before: ReadonlyMap<string, Memory>,
  memories: readonly Memory[],
  { signal, until }: ModelLimits,
): Promise<readonly Memory[]> {
  if (model === undefined) return memories;
  const fresh = memories.filter(
    ({ id, servedLevel }) => servedLevel !== undefined && before.get(id)?.servedLevel === undefined,
  );
  const written = new Map<string, Memory>();
  for (const memory of fresh.slice(0, MAX_WRITTEN)) {
    if (signal?.aborted || clock.now() >= until) break;
    const { kind, key, value, levels } = memory;
    const input = { kind, text: levels.full, ...(key && { key }), ...(value && { value }) };
    const { levels: summarized, by, failure } = await buildLevelsWithModel(input, model, omitUndefined({ signal }));
    if (by === "model") written.set(memory.id, { ...memory, levels: summarized });
    else logger.info(`Memory ${memory.id}: no model summary (${failure ?? "empty reply"}), using the extractive one.`);
  }
  return memories.map((memory) => written.get(memory.id) ?? memory);
}
