import process from "node:process";
import { createInterface } from "node:readline/promises";
import type { Command } from "commander";
import { count } from "../amounts.ts";
import { withKeptSession } from "../data/find-session.ts";
import type { DataOptions } from "../data/open-data.ts";
import { interruptible } from "../interruption.ts";
import { jsonOption } from "../options.ts";
import { printJson } from "../print-json.ts";
import { printableLine } from "../printable.ts";
import { UsageError } from "../usage-error.ts";

interface PurgeOptions extends DataOptions {
  readonly yes?: boolean;
  readonly json?: boolean;
}

export function addPurgeCommand(program: Command): void {
  program
    .command("purge")
    .description("erase a session for good")
    .argument("<session>", "its whole id")
    .option("-y, --yes", "do not ask")
    .addOption(jsonOption())
    .addHelpText("after", "\nExample:\n  throughline purge 0276a600 --yes")
    .action((id: string, _, command: Command) => purge(id, command.optsWithGlobals()));
}

async function purge(id: string, options: PurgeOptions): Promise<void> {
  const name = printableLine(id);
  const purged = await withKeptSession(id, { ...options, exact: true }, async ({ throughline, head }) => {
    const messages = count(head.appended, "message");
    const isSure = options.yes || (await confirm(`Erase session ${name} and its ${messages} for good? [y/N] `));
    if (isSure) await throughline.purgeSession(id);
    return isSure ? head.appended : undefined;
  });
  const said =
    purged === undefined ? "Nothing was erased." : `Session ${name} and its ${count(purged, "message")} are erased.`;
  process.stdout.write(
    options.json ? printJson({ session: id, purged: purged !== undefined, messages: purged ?? 0 }) : `${said}\n`,
  );
}

async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) {
    throw new UsageError("There is no terminal to ask for confirmation.", "Say --yes to erase the session.");
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
