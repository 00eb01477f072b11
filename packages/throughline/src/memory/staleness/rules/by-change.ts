import { areAlike, type Value } from "../../reconcile/read-values.ts";
import type { KnownTurn, StalenessRule } from "../known-turn.ts";

/** A reference to an earlier value, with a new one. */
const POINTS_BACK =
  /\b(?:change|move|push|switch|set|bump|shift|reschedule|update) (?:that|it|this|(?:the|our) \p{L}+)(?: back| up| forward| out)? to \b|\bmake (?:that|it) (?=[$€£\d])|\boverrid(?:e|ing|den)\b|\bscratch that\b|^(?:(?:oh|sorry|no),? )*wait\b|\bi meant\b|\bi misspoke\b|\bmy mistake\b|^(?:sorry|correction)[,:]? (?=[$€£\d])/iu;
const NEAR = 6;

/** "Change that to Thursday": outdates the nearest value of the same kind, and its repetitions. */
export const byChange: StalenessRule = ({ sentences }, known, mark) => {
  const first = sentences.findIndex(({ text, isOpen }) => !isOpen && POINTS_BACK.test(text));
  if (first === -1) return;
  const given = sentences.slice(first).flatMap(({ values }) => values);
  const near = known.filter(({ ago }) => ago <= NEAR);
  for (const value of given) {
    const old = nearestAlike(value, near);
    if (old === undefined) continue;
    for (const earlier of near) {
      for (const same of valuesOf(earlier).filter((other) => areAlike(other, old) && other.value === old.value))
        mark(earlier, same);
    }
  }
};

function nearestAlike(value: Value, near: readonly KnownTurn[]): Value | undefined {
  for (const earlier of near) {
    const alike = valuesOf(earlier).filter((other) => areAlike(other, value));
    // The turn already has the new value.
    if (alike.some((other) => other.value === value.value)) return undefined;
    if (alike.length > 0) return alike.at(-1);
  }
  return undefined;
}

function valuesOf({ sentences }: KnownTurn): Value[] {
  return sentences.flatMap(({ values, isOpen }) => (isOpen ? [] : values));
}
