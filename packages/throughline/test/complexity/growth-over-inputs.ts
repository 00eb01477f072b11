import process from "node:process";
import { afterAll } from "vitest";
import { ADVERSARIAL_INPUTS } from "./adversarial-inputs.ts";
import { describeGrowth, type Growth, measureGrowth, type Sizes } from "./cpu-growth.ts";

const SHOWN = 10;

/** Measures work on every input, and prints the steepest growth after all tests. */
export function growthOverInputs(sizes: Sizes) {
  const measured: { readonly title: string; readonly growth: Growth }[] = [];
  let pairs = 0;
  const start = process.cpuUsage();
  afterAll(() => {
    if (pairs === 0) return;
    const { user, system } = process.cpuUsage(start);
    const steepest = measured.sort((a, b) => b.growth.ratio - a.growth.ratio).slice(0, SHOWN);
    const lines = steepest.map(({ title, growth }) => `  ${title}: ${describeGrowth(growth)}`);
    console.info([`${pairs} pairs in ${((user + system) / 1e6).toFixed(0)} s of processor time`, ...lines].join("\n"));
  });

  /** The inputs on which the work grows too steeply. */
  return async (title: string, work: (text: string) => unknown): Promise<readonly string[]> => {
    const found: string[] = [];
    for (const input of ADVERSARIAL_INPUTS) {
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
