import { styleText } from "node:util";
import type { Contradiction, Memory, RememberOutcome } from "throughline";
import { count, moment } from "../format-values.ts";
import { notesOf, saying } from "../memories/describe-memory.ts";
import { printableLine } from "../printable.ts";

export interface RememberedOutput {
  readonly outcome: RememberOutcome;
  readonly memory: Memory;
  /** What it took the place of, as it is now. */
  readonly replaced: Memory | null;
  /** The open ones that it is part of. */
  readonly contradictions: readonly Contradiction[];
}

/** What became of something that was said, for people. */
export function printRemembered(output: RememberedOutput): string {
  const { memory, contradictions } = output;
  const notes = notesOf(memory);
  const lines = [
    `${styleText("bold", OUTCOMES[output.outcome])} ${saying(memory)}`,
    `  ${[printableLine(memory.id), ...notes].join(" · ")}`,
    ...changesOf(output),
    ...contradictions.map(
      ({ id, reason }) => `It contradicts something: ${printableLine(reason)} ${styleText("dim", printableLine(id))}`,
    ),
    ...(contradictions.length === 0 ? [] : ["`throughline contradictions` shows both sides."]),
  ];
  return `${lines.join("\n")}\n`;
}

const OUTCOMES: Readonly<Record<RememberOutcome, string>> = {
  added: "Added:",
  merged: "Known already:",
  replaced: "Changed:",
};

function changesOf({ outcome, memory, replaced }: RememberedOutput): string[] {
  if (outcome === "merged") return [`Merged: it was said ${count(memory.mentions, "time")} now.`];
  if (replaced === null) return [];
  const other = `“${saying(replaced)}” (${printableLine(replaced.id)})`;
  // What is told late may have ended before it was told.
  if (replaced.validTo === undefined) return [`It held until ${moment(memory.validTo ?? 0)}: ${other} holds now.`];
  return [`Replaced: ${other} no longer holds, since ${moment(replaced.validTo)}.`];
}
