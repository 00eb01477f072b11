import { omitUndefined } from "../../internal/json.ts";
import { DAY } from "../../internal/time.ts";
import { mapYielding, runStepsYielding } from "../../internal/yield-to-event-loop.ts";
import type { Contradiction, Memory } from "../../ports/memory.ts";
import { normalizeFact } from "../facts/normalize-fact.ts";
import { normalizeKey, readSlot, type Slot } from "../facts/slots.ts";

/** A block with more facts is skipped: its terms are too common to find similar facts. */
const MAX_BLOCK_SIZE = 48;
/** Number of the rarest terms of a fact that are looked up. */
const MAX_RARE_TERMS = 4;
/** Minimum share of the shorter fact's terms that both facts have. */
const MIN_SHARE = 0.5;

/** A similar fact: its position in the index, and the share of the shorter fact's terms that both have. */
export interface NearFact {
  readonly at: number;
  readonly share: number;
}

/**
 * Index of facts by their terms (blocking). It finds similar facts without comparing all pairs: two facts are compared
 * if they share a rare term, or the same pair of rarest terms.
 */
export class FactIndex {
  readonly ids: readonly string[];
  readonly #fingerprints: readonly string[];
  /** Normalized words of each fact. */
  readonly #terms: readonly (readonly string[])[];
  /** The same terms as sorted numbers, for fast intersection. */
  readonly #numbers: Int32Array[] = [];
  readonly #blocksOf: (readonly string[])[] = [];
  readonly #blocks = new Map<string, number[]>();
  readonly #near = new Map<number, readonly NearFact[]>();
  /** For each fact, the last fact that it was compared with. Prevents comparing a pair once per common block. */
  readonly #comparedWith: Int32Array;

  private constructor(facts: readonly Memory[], forms: readonly string[]) {
    this.ids = facts.map(({ id }) => id);
    this.#comparedWith = new Int32Array(facts.length).fill(-1);
    this.#fingerprints = forms.map((form, at) => form || (facts[at]?.levels.full.trim().toLowerCase() ?? ""));
    this.#terms = forms.map((form) => (form === "" ? [] : form.split(" ")));
  }

  /** Builds the index. Yields between facts, so that the caller can let other tasks run. */
  static *of(facts: readonly Memory[]): Generator<undefined, FactIndex> {
    const forms: string[] = [];
    for (const { levels } of facts) {
      forms.push(normalizeFact(levels.full));
      yield;
    }
    const index = new FactIndex(facts, forms);
    yield* index.#addBlocks();
    return index;
  }

  *#addBlocks(): Generator<undefined, void> {
    const counts = new Map<string, number>();
    for (const terms of this.#terms) {
      for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
      yield;
    }
    const numbers = new Map([...counts.keys()].map((term, number) => [term, number]));
    for (const [at, terms] of this.#terms.entries()) {
      yield;
      this.#numbers.push(Int32Array.from(terms, (term) => numbers.get(term) ?? -1).sort());
      const blocks = blocksOf(terms, counts);
      this.#blocksOf.push(blocks);
      for (const block of blocks) {
        const members = this.#blocks.get(block);
        if (members === undefined) this.#blocks.set(block, [at]);
        else members.push(at);
      }
    }
  }

  fingerprint(at: number): string {
    return this.#fingerprints[at] ?? "";
  }

  terms(at: number): readonly string[] {
    return this.#terms[at] ?? [];
  }

  /** Facts that share enough terms with the one at this position. The relation is symmetric. */
  near(at: number): readonly NearFact[] {
    const known = this.#near.get(at);
    if (known !== undefined) return known;
    const near = this.#findNear(at);
    this.#near.set(at, near);
    return near;
  }

  #findNear(at: number): readonly NearFact[] {
    const own = this.#numbers[at] ?? new Int32Array();
    this.#comparedWith[at] = at;
    const near: NearFact[] = [];
    for (const block of this.#blocksOf[at] ?? []) {
      const members = this.#blocks.get(block) ?? [];
      if (members.length > MAX_BLOCK_SIZE) continue;
      for (const other of members) {
        if (this.#comparedWith[other] === at) continue;
        this.#comparedWith[other] = at;
        const others = this.#numbers[other] ?? own;
        const share = countShared(own, others) / Math.min(own.length, others.length);
        if (share >= MIN_SHARE) near.push({ at: other, share });
      }
    }
    return near;
  }
}

/** An index for each group of facts that can be duplicates of each other or contradict each other. */
export async function indexFacts(facts: Iterable<Memory>): Promise<readonly FactIndex[]> {
  const groups = new Map<string, Memory[]>();
  await mapYielding(facts, (fact) => {
    const key = comparisonKey(fact);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [fact]);
    else group.push(fact);
  });
  const indexes: FactIndex[] = [];
  for (const group of groups.values()) indexes.push(await runStepsYielding(FactIndex.of(group)));
  return indexes;
}

function blocksOf(terms: readonly string[], counts: ReadonlyMap<string, number>): readonly string[] {
  const count = (term: string) => counts.get(term) ?? 0;
  const shared = terms.filter((term) => count(term) > 1).sort((a, b) => count(a) - count(b) || (a < b ? -1 : 1));
  const rare = shared.filter((term) => count(term) <= MAX_BLOCK_SIZE).slice(0, MAX_RARE_TERMS);
  const [first, second] = shared;
  return first === undefined || second === undefined ? rare : [...rare, `${first} ${second}`];
}

/** Number of common elements of two sorted lists. */
function countShared(a: Int32Array, b: Int32Array): number {
  let shared = 0;
  let i = 0;
  let j = 0;
  for (;;) {
    const left = a[i];
    const right = b[j];
    if (left === undefined || right === undefined) return shared;
    if (left === right) shared += 1;
    if (left <= right) i += 1;
    if (right <= left) j += 1;
  }
}

/** True if a memory is neither ended nor archived. */
export function isCurrent({ archivedAt, validTo }: Memory, now: number): boolean {
  return archivedAt === undefined && (validTo === undefined || validTo > now);
}

/**
 * True if a memory was current when the consolidation at `now` started, even if that archived it. Word statistics and
 * comparisons use these memories, so that a second run at the same time sees the same data and changes nothing.
 */
export function wasCurrent({ archivedAt, validTo }: Memory, now: number): boolean {
  return (archivedAt === undefined || archivedAt >= now) && (validTo === undefined || validTo > now);
}

/** Key of a pair of memories, independent of their order. */
export function pairKey(a: string, b: string): string {
  return a < b ? `${a}\n${b}` : `${b}\n${a}`;
}

/** Keys of all pairs with an open or resolved contradiction. They are not merged, and not reported again. */
export function knownPairs(contradictions: readonly Contradiction[]): ReadonlySet<string> {
  return new Set(contradictions.map(({ memoryA, memoryB }) => pairKey(memoryA, memoryB)));
}

/** Ids of memories with an open contradiction. */
export function contradictedIds(contradictions: readonly Contradiction[]): ReadonlySet<string> {
  const open = contradictions.filter(({ status }) => status === "open");
  return new Set(open.flatMap(({ memoryA, memoryB }) => [memoryA, memoryB]));
}

/**
 * Groups memories for comparison by scope, project, owner and subject. Only memories with the same key can be
 * duplicates or contradict each other. The owner does not count for shared memories that are not about a person.
 */
export function comparisonKey({ scope, projectId = "", owner, subject = "user" }: Memory): string {
  const about = subject.trim().toLowerCase();
  return JSON.stringify([scope, projectId, scope === "user-private" || isPersonal(about) ? owner : "", about]);
}

/** True if the subject is the user, or something that belongs to the user. */
export function isPersonal(subject: string): boolean {
  return /^(?:the )?user(?:'s |’s |$)/i.test(subject.trim());
}

/** Key and value of a fact, from its fields or, if it has no key, read from its text. */
export function slotOf({ key, value, levels }: Memory): Slot | undefined {
  return key === undefined ? readSlot(levels.full) : omitUndefined({ key: normalizeKey(key), value });
}

/** Minimum cosine similarity of facts that are merged. Equivalent wording is required too. */
export const MERGE_THRESHOLD = 0.92;

/** Age after which an episode is served as its summary, and after which as one line. */
export const SUMMARIZE_AFTER = 7 * DAY;
export const COMPRESS_AFTER = 30 * DAY;

/** Time without mention or retrieval after which a memory may be archived. */
export const FORGET_UNUSED_AFTER = 90 * DAY;
