import { partOf, type Step, wordOf } from "../code-unit.ts";
import type { LinkedUnit } from "./link-units.ts";

/** Specificity of a step, from 0 to 1. */
export type StepWeight = (step: Step) => number;

/** Weights of known steps or parts. Lower for those that most projects have. */
const KNOWN: Readonly<Record<string, number>> = {
  "error_handling=thrown_error": 0.5,
  "error_handling=try_catch": 0.7,
  "error_handling=try_except": 0.7,
  "error_handling=exception_thrown": 0.7,
  "error_handling=exception_raised": 0.7,
  "response=json_body": 0.8,
  "validation={schema}": 0.8,
  structure: 0.4,
  framework: 0.6,
  assertion: 0.6,
  failure: 0.6,
  fixture: 0.6,
  field: 0.5,
  next: 0.6,
  constructor: 0.2,
  "extends=Error": 0.5,
  "extends=Exception": 0.5,
  "extends=RuntimeException": 0.5,
  "extends=TestCase": 0.5,
  props: 0.4,
  markup: 0.4,
  check: 0.3,
  log: 0.6,
  "throw=rethrown": 0.5,
  "throw=replaced": 0.5,
  "return=wrapped": 1,
  return: 0.3,
};

/** Shorter names weigh less. */
const MIN_NAME_LENGTH = 3;

/** Gives the specificity of steps in a group of units. */
export type StepScales = (group: readonly LinkedUnit[]) => StepWeight;

/**
 * Weighs steps. Calls and methods weigh more if fewer other files have them. Other steps have fixed weights.
 */
export function weighSteps(units: readonly LinkedUnit[]): StepScales {
  const everywhere = filesByStep(units);
  const all = new Set(units.map(({ path }) => path)).size;
  return (group) => {
    const here = filesByStep(group);
    return (step) => {
      const part = partOf(step);
      if (part !== "call" && part !== "method") return KNOWN[step] ?? KNOWN[part] ?? 1;
      const others = (everywhere.get(step)?.size ?? 0) - (here.get(step)?.size ?? 0);
      const rarity = Math.max(0, 1 - Math.log(1 + others) / Math.log(1 + all));
      return wordOf(step).length < MIN_NAME_LENGTH ? rarity / 4 : rarity;
    };
  };
}

function filesByStep(units: readonly LinkedUnit[]): ReadonlyMap<Step, ReadonlySet<string>> {
  const files = new Map<Step, Set<string>>();
  for (const { path, steps } of units) {
    for (const step of steps) files.set(step, (files.get(step) ?? new Set<string>()).add(path));
  }
  return files;
}
