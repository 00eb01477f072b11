import { styleText } from "node:util";
import type { Contradiction } from "throughline";
import type { Resolution } from "throughline/memory";
import { count, moment } from "../terminal/print-values.ts";
import { printableLine } from "../terminal/printable.ts";

/** A contradiction with the texts of both memories. */
export interface ShownContradiction extends Contradiction {
  readonly textA: string | null;
  readonly textB: string | null;
}

const SETTLED: Readonly<Record<Resolution, string>> = {
  a_wins: "a is true, b is not",
  b_wins: "b is true, a is not",
  both_valid: "both are true",
  merged: "merged into one memory",
};

/** Prints both sides of each contradiction, and how it was resolved. */
export function printContradictions(found: readonly ShownContradiction[], status: string): string {
  if (found.length === 0) return status === "open" ? "No open contradictions.\n" : "No contradictions.\n";
  const open = found.filter((one) => one.status === "open").length;
  const lines = [
    ...found.flatMap(printOne),
    open === 0 ? count(found.length, "contradiction") : `${count(open, "contradiction")} to resolve:`,
    ...(open === 0 ? [] : ["  throughline contradictions resolve ID --resolution a_wins|b_wins|both_valid|merged"]),
  ];
  return `${lines.join("\n")}\n`;
}

function printOne(contradiction: ShownContradiction): string[] {
  const { id, memoryA, memoryB, textA, textB, reason, detectedAt } = contradiction;
  const side = (name: string, text: string | null, of: string) =>
    `  ${name}    ${printableLine(text ?? "(deleted)")}  ${styleText("dim", printableLine(of))}`;
  return [
    styleText("bold", `${printableLine(id)} · found ${moment(detectedAt)}`),
    side("a", textA, memoryA),
    side("b", textB, memoryB),
    `  why  ${printableLine(reason)}`,
    ...(contradiction.status === "open" ? [] : [`  now  ${describeResolution(contradiction)}`]),
    "",
  ];
}

/** Describes a resolution. */
export function describeResolution({ resolution, resolvedAt, note }: Contradiction): string {
  const words = [
    resolution === undefined ? "settled" : SETTLED[resolution],
    ...(resolvedAt === undefined ? [] : [moment(resolvedAt)]),
    ...(note === undefined ? [] : [printableLine(note)]),
  ];
  return words.join(" · ");
}
