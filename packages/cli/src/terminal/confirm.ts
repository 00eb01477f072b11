import process from "node:process";
import { createInterface } from "node:readline/promises";
import { UsageError } from "../usage-error.ts";
import { interruptible } from "./interruption.ts";

/** Messages for a missing terminal and for an interrupted question. */
interface ConfirmWords {
  readonly withoutTerminal: string;
  readonly stopped: string;
  /** True if an empty answer means yes. */
  readonly isYesDefault?: boolean;
}

/** The messages for erasing something. */
export function eraseWords(what: string): ConfirmWords {
  return { withoutTerminal: `Add --yes to erase the ${what} without confirmation.`, stopped: "Nothing was erased." };
}

/**
 * Asks for confirmation on the terminal.
 *
 * @throws UsageError if there is no terminal
 */
export async function confirm(question: string, words: ConfirmWords): Promise<boolean> {
  const { withoutTerminal, stopped, isYesDefault = false } = words;
  if (!process.stdin.isTTY) {
    throw new UsageError("Cannot ask for confirmation: standard input is not a terminal.", withoutTerminal);
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

/**
 * Asks whether changes that were printed are to be made; `yes` answers for the user.
 *
 * @throws UsageError if there is no terminal, or the output is JSON
 */
export async function confirmChanges({
  yes,
  json,
}: {
  readonly yes?: boolean;
  readonly json?: boolean;
}): Promise<boolean> {
  if (yes) return true;
  if (!process.stdin.isTTY || json) {
    throw new UsageError(
      "Cannot ask for confirmation: standard input is not a terminal. Nothing was changed.",
      "Add --yes to make these changes.",
    );
  }
  return confirm("Make these changes? [y/N] ", {
    withoutTerminal: "Add --yes to make the changes, or --dry-run to see them.",
    stopped: "Nothing was written.",
  });
}
