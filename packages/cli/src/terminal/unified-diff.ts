import process from "node:process";
import { styleText } from "node:util";
import { structuredPatch } from "diff";
import { printable } from "./print-values.ts";

/** A file before and after a change; `undefined` means that there is no file. */
interface FileChange {
  readonly file: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

const COLORS = { " ": "reset", "-": "red", "+": "green", "@": "dim" } as const;

/** The change as a unified diff. */
export function printDiff(change: FileChange): string {
  const { file, before, after } = change;
  const head = [`--- ${before === undefined ? "nothing" : file}`, `+++ ${after === undefined ? "nothing" : file}`];
  const lines = hunksOf(change).flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
    ...lines.map(spaced),
  ]);
  return `${[...head, ...lines.map(colorLine)].join("\n")}\n`;
}

/** A line of a diff, in the color of its first character. */
export function colorLine(line: string): string {
  const color = COLORS[line.charAt(0) as keyof typeof COLORS];
  return styleText(color, printable(line).trimEnd(), { stream: process.stdout });
}

/** The removed and added lines, for JSON output. */
export function changedLines(change: FileChange): readonly string[] {
  return hunksOf(change).flatMap(({ lines }) => lines.filter((line) => !line.startsWith(" ")).map(spaced));
}

function spaced(line: string): string {
  return `${line.charAt(0)} ${line.slice(1)}`;
}

function hunksOf({ file, before = "", after = "" }: FileChange) {
  const { hunks } = structuredPatch(file, file, before, after, undefined, undefined, {
    context: 3,
    stripTrailingCr: true,
  });
  // Agents do not care about a missing line break at the end.
  return hunks.map((hunk) => ({ ...hunk, lines: hunk.lines.filter((line) => !line.startsWith("\\")) }));
}
