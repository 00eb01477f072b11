import process from "node:process";
import { confirm } from "../confirm.ts";
import { interruptible } from "../interruption.ts";
import { printJson } from "../print-json.ts";
import { UsageError } from "../usage-error.ts";
import type { ChangeOptions } from "./agent-tool.ts";
import { applyChange, type ConfigChange } from "./config-change.ts";
import { changedLines, printDiff } from "./print-change.ts";

/** A change that is shown, asked for and made. */
export interface ShownChange {
  readonly tool: string;
  readonly change: ConfigChange;
  /** What there is to say where nothing has to be changed, and where it was. */
  readonly unchanged: string;
  readonly done: readonly string[];
  /** Before the file is written, and behind that. */
  readonly prepare?: () => Promise<void>;
  readonly finish?: () => Promise<void>;
}

/** Shows a change, asks, and makes it. */
export async function makeChange(shown: ShownChange, options: ChangeOptions): Promise<void> {
  const { tool, change, unchanged, done } = shown;
  const isNeeded = change.before !== change.after;
  if (!options.json) process.stdout.write(isNeeded ? printDiff(change) : `${unchanged}\n`);
  const isMade = isNeeded && !options.dryRun && (await isWanted(options));
  if (isMade) {
    await interruptible("Nothing was changed.", async (signal) => {
      await shown.prepare?.();
      await applyChange(change, signal);
      await shown.finish?.();
    });
  }
  if (options.json) {
    const { file, before } = change;
    const said = { tool, file, existed: before !== undefined, needed: isNeeded, changed: isMade };
    process.stdout.write(printJson({ ...said, dryRun: options.dryRun ?? false, diff: changedLines(change) }));
  } else if (isNeeded) {
    process.stdout.write(`\n${(isMade ? done : ["Nothing was changed."]).join("\n")}\n`);
  }
}

async function isWanted({ yes, json }: ChangeOptions): Promise<boolean> {
  if (yes) return true;
  if (!process.stdin.isTTY || json) {
    throw new UsageError("There is no terminal to ask on; nothing was changed.", "Say --yes to make this change.");
  }
  return confirm("Make this change? [y/N] ", {
    withoutTerminal: "Say --yes to make the change, or --dry-run to see it.",
    stopped: "Nothing was written.",
  });
}
