import type { Memory } from "../../ports/memory.ts";
import { normalizeFact } from "../facts/normalize-fact.ts";

/** A word that more facts than this have in common leads to none of them. */
const LARGEST_BLOCK = 48;
/** Of each fact so many words are looked up, the rarest first. */
const RAREST = 4;
/** The share of the shorter fact's words that a fact has to have. */
const MIN_SHARE = 0.5;

/** A fact that shares words with another, and how many of the shorter one's. */
export interface NearFact {
  readonly at: number;
  readonly share: number;
}

/**
 * Facts by their words. It finds those that say something similar without comparing each with each: two facts meet where
 * they share a rare word, or the two rarest that both have.
 */
export class FactIndex {
  readonly ids: readonly string[];
  readonly #fingerprints: readonly string[];
  /** The words of each fact in their one form. */
  readonly #terms: readonly (readonly string[])[];
  /** The same as numbers, in order. */
  readonly #numbers: readonly Int32Array[];
  readonly #blocksOf: readonly (readonly string[])[];
  readonly #blocks = new Map<string, number[]>();
  readonly #near = new Map<number, readonly NearFact[]>();
  /** By which fact each was met last. */
  readonly #met: Int32Array;

  private constructor(facts: readonly Memory[], forms: readonly string[]) {
    this.ids = facts.map(({ id }) => id);
    this.#met = new Int32Array(facts.length).fill(-1);
    this.#fingerprints = forms.map((form, at) => form || (facts[at]?.levels.full.trim().toLowerCase() ?? ""));
    this.#terms = forms.map((form) => (form === "" ? [] : form.split(" ")));
    const counts = new Map<string, number>();
    for (const terms of this.#terms) for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
    const numbers = new Map([...counts.keys()].map((term, number) => [term, number]));
    this.#numbers = this.#terms.map((terms) => Int32Array.from(terms, (term) => numbers.get(term) ?? -1).sort());
    this.#blocksOf = this.#terms.map((terms) => blocksOf(terms, counts));
    for (const [at, blocks] of this.#blocksOf.entries()) {
      for (const block of blocks) {
        const members = this.#blocks.get(block);
        if (members === undefined) this.#blocks.set(block, [at]);
        else members.push(at);
      }
    }
  }

  /** Made in steps, between which other tasks may run. */
  static *of(facts: readonly Memory[]): Generator<undefined, FactIndex> {
    const forms: string[] = [];
    for (const { levels } of facts) {
      forms.push(normalizeFact(levels.full));
      yield;
    }
    return new FactIndex(facts, forms);
  }

  fingerprint(at: number): string {
    return this.#fingerprints[at] ?? "";
  }

  terms(at: number): readonly string[] {
    return this.#terms[at] ?? [];
  }

  /** Facts that share enough words with one. If one is near another, that is near to it as well. */
  near(at: number): readonly NearFact[] {
    const known = this.#near.get(at);
    if (known !== undefined) return known;
    const near = this.#findNear(at);
    this.#near.set(at, near);
    return near;
  }

  #findNear(at: number): readonly NearFact[] {
    const own = this.#numbers[at] ?? new Int32Array();
    this.#met[at] = at;
    const near: NearFact[] = [];
    for (const block of this.#blocksOf[at] ?? []) {
      const members = this.#blocks.get(block) ?? [];
      if (members.length > LARGEST_BLOCK) continue;
      for (const other of members) {
        if (this.#met[other] === at) continue;
        this.#met[other] = at;
        const others = this.#numbers[other] ?? own;
        const share = countShared(own, others) / Math.min(own.length, others.length);
        if (share >= MIN_SHARE) near.push({ at: other, share });
      }
    }
    return near;
  }
}

function blocksOf(terms: readonly string[], counts: ReadonlyMap<string, number>): readonly string[] {
  const count = (term: string) => counts.get(term) ?? 0;
  const shared = terms.filter((term) => count(term) > 1).sort((a, b) => count(a) - count(b) || (a < b ? -1 : 1));
  const rare = shared.filter((term) => count(term) <= LARGEST_BLOCK).slice(0, RAREST);
  const [first, second] = shared;
  return first === undefined || second === undefined ? rare : [...rare, `${first} ${second}`];
}

/** How many numbers two ordered lists have in common. */
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
