import { styleText } from "node:util";
import type { Memory } from "throughline";
import { count } from "../format-values.ts";
import { printableLine } from "../printable.ts";
import { notesOf, saying } from "./describe-memory.ts";

/** A line for each memory, for people. */
export function printMemories(memories: readonly Memory[], { all = false }: { readonly all?: boolean }): string {
  if (memories.length === 0) {
    return all
      ? "No memory is like that.\n"
      : "No memory is like that; --all lists those that ended or were forgotten.\n";
  }
  const rows = memories.map((memory) => [printableLine(memory.id), memory.category ?? memory.kind] as const);
  const widths = [0, 1].map((at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const lines = memories.map((memory, i) => {
    const cells = (rows[i] ?? []).map((cell, at) => cell.padEnd(widths[at] ?? 0));
    const notes = notesOf(memory);
    const note = notes.length === 0 ? "" : `  ${styleText("dim", `(${notes.join(", ")})`)}`;
    return `${cells.join("  ")}  ${saying(memory)}${note}`;
  });
  return `${[...lines, count(memories.length, "memory", "memories")].join("\n")}\n`;
}
