import process from "node:process";
import { createInterface } from "node:readline/promises";
import { interruptible } from "./interruption.ts";
import { UsageError } from "./usage-error.ts";

/** What is said to who cannot be asked, and to who stops the question. */
interface ConfirmWords {
  readonly withoutTerminal: string;
  readonly stopped: string;
}

/** The words before something is erased. */
export function eraseWords(what: string): ConfirmWords {
  return { withoutTerminal: `Say --yes to erase the ${what}.`, stopped: "Nothing was erased." };
}

/**
 * Asks on the terminal before something is done.
 *
 * @throws UsageError where there is no terminal
 */
export async function confirm(question: string, { withoutTerminal, stopped }: ConfirmWords): Promise<boolean> {
  if (!process.stdin.isTTY) {
    throw new UsageError("There is no terminal to ask for confirmation.", withoutTerminal);
  }
  return interruptible(stopped, async (signal) => {
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
