import process from "node:process";
import { styleText } from "node:util";
import { structuredPatch } from "diff";
import { printable } from "../printable.ts";
import type { ConfigChange } from "./config-change.ts";

const COLOURS = { " ": "reset", "-": "red", "+": "green", "@": "dim" } as const;

/** A change as a unified diff for people. */
export function printDiff(change: ConfigChange): string {
  const { file, before, after } = change;
  const head = [`--- ${before === undefined ? "nothing" : file}`, `+++ ${after === undefined ? "nothing" : file}`];
  const lines = hunksOf(change).flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
    ...lines.map(spaced),
  ]);
  const coloured = lines.map((line) => {
    const colour = COLOURS[line.charAt(0) as keyof typeof COLOURS];
    return styleText(colour, printable(line).trimEnd(), { stream: process.stdout });
  });
  return `${[...head, ...coloured].join("\n")}\n`;
}

/** The added and removed lines of a change for programs. */
export function changedLines(change: ConfigChange): readonly string[] {
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
  // Whether the last line ends in a line break is no matter to the agents.
  return hunks.map((hunk) => ({ ...hunk, lines: hunk.lines.filter((line) => !line.startsWith("\\")) }));
}
