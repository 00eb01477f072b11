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

/** A change that is shown, confirmed and applied. */
export interface ShownChange {
  readonly tool: string;
  readonly change: ConfigChange;
  /** Messages if nothing has to change, and after the change. */
  readonly unchanged: string;
  readonly done: readonly string[];
  /** Called before the file is written, and after it. */
  readonly prepare?: () => Promise<void>;
  readonly finish?: () => Promise<void>;
}

/** Shows a change, asks for confirmation, and applies it. */
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
    throw new UsageError(
      "Cannot ask for confirmation: standard input is not a terminal. Nothing was changed.",
      "Add --yes to make this change.",
    );
  }
  return confirm("Make this change? [y/N] ", {
    withoutTerminal: "Add --yes to make the change, or --dry-run to see it.",
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
