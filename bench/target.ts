/** A measured value beside its limit. */
export interface Target {
  readonly name: string;
  readonly measured: string;
  readonly limit: string;
  readonly holds: boolean;
}

/** A ratio that must not be larger than the limit. */
export function atMost(name: string, ratio: number, limit: number): Target {
  return { name, measured: `${ratio.toFixed(2)}×`, limit: `at most ${limit}×`, holds: ratio <= limit };
}

/** A share that must not be smaller than the limit. */
export function atLeast(name: string, share: number, limit: number): Target {
  const percent = (value: number) => `${(100 * value).toFixed(1)}%`;
  return { name, measured: percent(share), limit: `at least ${percent(limit)}`, holds: share >= limit };
}

/** Prints one line for each target. Returns whether all hold. */
export function printTargets(targets: readonly Target[]): boolean {
  console.log();
  for (const { name, measured, limit, holds } of targets)
    console.log(`${holds ? "met" : "FAILS"}  ${name}: ${measured} (${limit})`);
  return targets.length > 0 && targets.every(({ holds }) => holds);
}
