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
  for (const target of targets) console.log(formatTarget(target));
  return targets.length > 0 && targets.every(({ holds }) => holds);
}

/** The line of a target, which `readTarget` reads. */
export function formatTarget({ name, measured, limit, holds }: Target): string {
  return `${holds ? "met" : "FAILS"}  ${name}: ${measured} (${limit})`;
}

const LINE = /^(met|FAILS) {2}(.*): (\S.*?) \((.*)\)$/;

/** The target in a line of a benchmark's output; `undefined` for other lines. */
export function readTarget(line: string): Target | undefined {
  const [, verdict, name, measured = "", limit = ""] = LINE.exec(line) ?? [];
  return name === undefined ? undefined : { name, measured, limit, holds: verdict === "met" };
}
