/** A measured ratio with its limit. */
export interface Target {
  readonly name: string;
  readonly value: number;
  readonly max?: number;
  readonly min?: number;
}

/** Prints each target beside its limit. Returns whether all hold. */
export function printTargets(targets: readonly Target[]): boolean {
  console.log();
  for (const target of targets) {
    const { name, value, max, min } = target;
    const limit = max === undefined ? `at least ${min}` : `at most ${max}`;
    console.log(`${holds(target) ? "holds" : "FAILS"}  ${name}: ${value.toFixed(3)} (${limit})`);
  }
  return targets.length > 0 && targets.every(holds);
}

function holds({ value, max = Number.POSITIVE_INFINITY, min = Number.NEGATIVE_INFINITY }: Target): boolean {
  return value <= max && value >= min;
}
