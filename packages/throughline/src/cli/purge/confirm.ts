import process from "node:process";
import { createInterface } from "node:readline/promises";
import { interruptible } from "../interruption.ts";
import { UsageError } from "../usage-error.ts";

/**
 * Asks on the terminal before something is erased.
 *
 * @throws UsageError where there is no terminal
 */
export async function confirm(question: string, what: string): Promise<boolean> {
  if (!process.stdin.isTTY) {
    throw new UsageError("There is no terminal to ask for confirmation.", `Say --yes to erase the ${what}.`);
  }
  return interruptible("Nothing was erased.", async (signal) => {
    const terminal = createInterface({ input: process.stdin, output: process.stderr });
    const closed = new AbortController();
    terminal.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
    terminal.once("close", () => closed.abort());
    try {
      const answer = await terminal.question(question, { signal: AbortSignal.any([signal, closed.signal]) });
      return /^y(es)?$/i.test(answer.trim());
    } catch (error) {
      signal.throwIfAborted();
      // Who leaves without an answer has not said yes.
      if (closed.signal.aborted) return false;
      throw error;
    } finally {
      terminal.close();
    }
  });
}
