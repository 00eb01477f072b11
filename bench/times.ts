/** Milliseconds of each piece of work, without its preparation. */
export async function times<T>(
  inputs: readonly T[],
  work: (input: T) => Promise<unknown>,
  before: (input: T, at: number) => Promise<unknown> = async () => undefined,
): Promise<readonly number[]> {
  const taken: number[] = [];
  for (const [at, input] of inputs.entries()) {
    await before(input, at);
    taken.push((await time(() => work(input)))[0]);
  }
  return taken;
}

/** Milliseconds and the result. */
export async function time<T>(work: () => Promise<T>): Promise<readonly [number, T]> {
  const start = performance.now();
  const result = await work();
  return [performance.now() - start, result];
}
