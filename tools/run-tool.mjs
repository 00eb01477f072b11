/** A problem whose message says all that the user needs: it is shown without a stack. */
export class Failure extends Error {}

/**
 * Runs a tool to its end. A Failure becomes one sentence and exit code 1; anything else is our bug and keeps its stack.
 *
 * @param {() => Promise<void>} work
 */
export async function runTool(work) {
  try {
    await work();
  } catch (error) {
    console.error(error instanceof Failure ? error.message : error);
    process.exitCode = 1;
  }
}
