/** Largest number of steps between the numbers of an axis. */
const MAX_STEPS = 10;

/** Indexes of the calls with a number on the axis: the first and the last one, and round numbers between them. */
export function axisCalls(calls: number): readonly number[] {
  if (calls < 2) return calls === 1 ? [0] : [];
  const step = stepFor(calls / MAX_STEPS);
  const round = Array.from({ length: Math.ceil(calls / step) }, (_, i) => i * step - 1);
  // A number close to an end has no room.
  return [0, ...round.filter((call) => call > step / 2 && calls - 1 - call > step / 2), calls - 1];
}

/** The next of 1, 2, 5, 10, 20, 50 and so on. */
function stepFor(least: number): number {
  const power = 10 ** Math.max(0, Math.floor(Math.log10(least)));
  return power * ([1, 2, 5].find((factor) => factor * power >= least) ?? 10);
}
