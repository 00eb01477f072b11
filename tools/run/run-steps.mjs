import { secondsSince } from "./log.mjs";
import { Failure } from "./run-tool.mjs";

/**
 * @typedef {object} Outcome
 * @property {boolean} ok
 * @property {string} [output] shown when the step failed
 * @property {number} [passed] number of passed tests, if the step runs several
 * @property {number} [failed]
 *
 * @typedef {object} Step
 * @property {string} name
 * @property {() => Promise<Outcome | void>} work
 */

/**
 * Runs the steps with limited concurrency and prints a line for each finished one. A failure does not stop the other
 * steps.
 *
 * @param {Step[]} steps
 * @param {number} [atOnce]
 * @returns {Promise<{ name: string, passed: number, failed: number }[]>}
 */
export async function runSteps(steps, atOnce = 2) {
  const waiting = [...steps];
  /** @type {{ name: string, passed: number, failed: number }[]} */
  const results = [];
  const worker = async () => {
    for (let step = waiting.shift(); step; step = waiting.shift()) results.push(await runStep(step));
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}

/** @param {Step} step */
async function runStep({ name, work }) {
  const start = performance.now();
  const { ok, output, passed, failed } = await outcomeOf(work);
  console.log(`${ok ? "ok    " : "FAILED"}  ${name.padEnd(48)} ${secondsSince(start).padStart(7)}`);
  if (!ok && output) console.log(`\n${output.trimEnd()}\n`);
  return { name, passed: passed ?? (ok ? 1 : 0), failed: failed ?? (ok ? 0 : 1) };
}

/**
 * @param {Step["work"]} work
 * @returns {Promise<Outcome>}
 */
async function outcomeOf(work) {
  try {
    return (await work()) ?? { ok: true };
  } catch (error) {
    const stack = error instanceof Error ? error.stack : undefined;
    return { ok: false, output: error instanceof Failure ? error.message : (stack ?? String(error)) };
  }
}
