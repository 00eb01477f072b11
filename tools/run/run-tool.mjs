/** An error whose message is complete: it is printed without a stack. */
export class Failure extends Error {}

/**
 * Runs a tool. A Failure becomes one sentence and exit code 1; any other error is a bug and keeps its stack.
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
