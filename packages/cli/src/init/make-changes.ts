import process from "node:process";
import { styleText } from "node:util";
import { structuredPatch } from "diff";
import { confirm } from "../confirm.ts";
import { interruptible } from "../interruption.ts";
import { printJson } from "../print-json.ts";
import { printable } from "../printable.ts";
import { UsageError } from "../usage-error.ts";
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
  const isMade = isNeeded && !options.dryRun && (await isWanted(options));
  if (isMade) await applyAll(needed, shown);
  if (options.json) {
    const files = changes.map(({ file, before, after }) => ({
      file,
      existed: before !== undefined,
      needed: before !== after,
      diff: changedLines({ file, before, after }),
    }));
    const said = { tool, needed: isNeeded, changed: isMade, dryRun: options.dryRun ?? false };
    process.stdout.write(printJson({ ...said, files, kept }));
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

async function isWanted({ yes, json }: ChangeOptions): Promise<boolean> {
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

const COLORS = { " ": "reset", "-": "red", "+": "green", "@": "dim" } as const;

/** The change as a unified diff. */
function printDiff(change: ConfigChange): string {
  const { file, before, after } = change;
  const head = [`--- ${before === undefined ? "nothing" : file}`, `+++ ${after === undefined ? "nothing" : file}`];
  const lines = hunksOf(change).flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
    ...lines.map(spaced),
  ]);
  const colored = lines.map((line) => {
    const color = COLORS[line.charAt(0) as keyof typeof COLORS];
    return styleText(color, printable(line).trimEnd(), { stream: process.stdout });
  });
  return `${[...head, ...colored].join("\n")}\n`;
}

/** The removed and added lines, for JSON output. */
function changedLines(change: ConfigChange): readonly string[] {
  return hunksOf(change).flatMap(({ lines }) => lines.filter((line) => !line.startsWith(" ")).map(spaced));
}

function spaced(line: string): string {
  return `${line.charAt(0)} ${line.slice(1)}`;
}

function hunksOf({ file, before = "", after = "" }: ConfigChange) {
  const { hunks } = structuredPatch(file, file, before, after, undefined, undefined, {
    context: 3,
    stripTrailingCr: true,
  });
  // Agents do not care about a missing line break at the end.
  return hunks.map((hunk) => ({ ...hunk, lines: hunk.lines.filter((line) => !line.startsWith("\\")) }));
}
