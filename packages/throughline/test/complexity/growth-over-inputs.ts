import process from "node:process";
import { afterAll } from "vitest";
import { ADVERSARIAL_INPUTS, SHORT_INPUTS } from "./adversarial-inputs.ts";
import { describeGrowth, type Growth, measureGrowth, type Sizes } from "./cpu-growth.ts";

export const isLong = process.env.THROUGHLINE_SOAK !== undefined;
const SHOWN = 10;

/** Measures work on every input, and after all tests of the long form prints the steepest growth. */
export function growthOverInputs(sizes: Sizes, shortInputs = SHORT_INPUTS) {
  const measured: { readonly title: string; readonly growth: Growth }[] = [];
  let pairs = 0;
  const start = process.cpuUsage();
  afterAll(() => {
    if (!isLong) return;
    const { user, system } = process.cpuUsage(start);
    const steepest = measured.sort((a, b) => b.growth.ratio - a.growth.ratio).slice(0, SHOWN);
    const lines = steepest.map(({ title, growth }) => `  ${title}: ${describeGrowth(growth)}`);
    console.info([`${pairs} pairs in ${((user + system) / 1e6).toFixed(0)} s of processor time`, ...lines].join("\n"));
  });

  /** The inputs on which the work grows too steeply. */
  return async (title: string, work: (text: string) => unknown): Promise<readonly string[]> => {
    const found: string[] = [];
    for (const input of isLong ? ADVERSARIAL_INPUTS : shortInputs) {
      pairs += 1;
      const growth = await measureGrowth((size) => work(input.make(slightlyLess(size))), sizes);
      if (growth === undefined) continue;
      measured.push({ title: `${title} ${input.name}`, growth });
      if (growth.isTooSteep) found.push(`${input.name}: ${describeGrowth(growth)}`);
    }
    return found;
  };
}

let calls = 0;

/** Another size each time, so that no cache has seen the text. */
function slightlyLess(size: number): number {
  calls += 1;
  return Math.round(size * (1 - (calls % 6) / 100));
}
