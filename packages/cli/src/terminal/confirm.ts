import process from "node:process";
import { createInterface } from "node:readline/promises";
import type { CommandOptions } from "../data/open-data.ts";
import { UsageError } from "../usage-error.ts";
import { interruptible } from "./interruption.ts";

/** Messages for a question that cannot be asked, or was interrupted. */
interface ConfirmWords {
  /** Advice if no question can be asked. */
  readonly instead: string;
  /** The state without an answer: "Nothing was erased." */
  readonly stopped: string;
  /** True if an empty answer means yes. */
  readonly isYesDefault?: boolean;
  /** True if the output is JSON: no question is asked. */
  readonly json?: boolean | undefined;
}

/** The messages for erasing something. */
export function eraseWords(what: string): ConfirmWords {
  return { instead: `Add --yes to erase the ${what} without confirmation.`, stopped: "Nothing was erased." };
}

/**
 * Asks for confirmation on the terminal.
 *
 * @throws UsageError if there is no terminal, or the output is JSON
 */
export async function confirm(question: string, words: ConfirmWords): Promise<boolean> {
  const { instead, stopped, isYesDefault = false, json = false } = words;
  if (!process.stdin.isTTY || json) {
    const reason = process.stdin.isTTY ? "--json prints no question" : "standard input is not a terminal";
    throw new UsageError(`Cannot ask for confirmation: ${reason}. ${stopped}`, instead);
  }
  return interruptible(stopped, async (signal) => {
    const terminal = createInterface({ input: process.stdin, output: process.stderr });
    const closed = new AbortController();
    terminal.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
    terminal.once("close", () => closed.abort());
    try {
      const answer = await terminal.question(question, { signal: AbortSignal.any([signal, closed.signal]) });
      return answer.trim() === "" ? isYesDefault : /^y(es)?$/i.test(answer.trim());
    } catch (error) {
      signal.throwIfAborted();
      // Closing the input without an answer means no.
      if (closed.signal.aborted) return false;
      throw error;
    } finally {
      terminal.close();
    }
  });
}

/** Asks for confirmation of changes that were printed; `yes` answers for the user. */
export async function confirmChanges({ yes, json }: Pick<CommandOptions, "yes" | "json">): Promise<boolean> {
  const instead = "Add --yes to make these changes, or --dry-run to see them.";
  return yes || confirm("Make these changes? [y/N] ", { instead, stopped: "Nothing was changed.", json });
}
