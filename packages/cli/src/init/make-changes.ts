import process from "node:process";
import { interruptible } from "../terminal/interruption.ts";
import { printJson } from "../terminal/print-json.ts";
import { confirmChanges } from "../terminal/confirm.ts";
import { changedLines, printDiff } from "../terminal/unified-diff.ts";
import type { ChangeOptions } from "./agent-tool.ts";
import { applyChange, type ConfigChange } from "./config-change.ts";

/** Changes that are shown, confirmed and applied. */
export interface ShownChanges {
  readonly tool: string;
  readonly changes: readonly ConfigChange[];
  /** Message if nothing has to change, and messages after the change. */
  readonly unchanged: string;
  readonly done: readonly string[];
  /** Messages about files that stay as they are. */
  readonly kept: readonly string[];
  /** Called before a file is written, and after it. */
  readonly prepare?: (change: ConfigChange) => Promise<void>;
  readonly finish?: (change: ConfigChange) => Promise<void>;
}

/** Shows changes, asks for confirmation, and applies them. */
export async function makeChanges(shown: ShownChanges, options: ChangeOptions): Promise<void> {
  const { tool, changes, unchanged, done, kept } = shown;
  const needed = changes.filter(({ before, after }) => before !== after);
  const isNeeded = needed.length > 0;
  if (!options.json) process.stdout.write(isNeeded ? needed.map(printDiff).join("\n") : `${unchanged}\n`);
  const isMade = isNeeded && !options.dryRun && (await confirmChanges(options));
  if (isMade) await applyAll(needed, shown);
  if (options.json) {
    const files = changes.map(({ file, before, after }) => ({
      file,
      existed: before !== undefined,
      needed: before !== after,
      diff: changedLines({ file, before, after }),
    }));
    const report = { tool, needed: isNeeded, changed: isMade, dryRun: options.dryRun ?? false };
    process.stdout.write(printJson({ ...report, files, kept }));
    return;
  }
  const messages = isNeeded ? ["", ...(isMade ? done : ["Nothing was changed."])] : [];
  const lines = [...messages, ...kept];
  if (lines.length > 0) process.stdout.write(`${lines.join("\n")}\n`);
}

async function applyAll(
  changes: readonly ConfigChange[],
  { prepare, finish }: Pick<ShownChanges, "prepare" | "finish">,
): Promise<void> {
  await interruptible("Run the command again to complete the change.", async (signal) => {
    for (const change of changes) {
      signal.throwIfAborted();
      await prepare?.(change);
      await applyChange(change, signal);
      await finish?.(change);
    }
  });
}
