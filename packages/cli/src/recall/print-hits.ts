import { styleText } from "node:util";
import type { RecallHit } from "throughline";
import { notesOf, originOf } from "../memories/describe-memory.ts";
import { printableLine } from "../printable.ts";

const MAX_TEXT_LENGTH = 400;
const HANDLE = /^(?:(?:part|messages?):\S+|\S*compaction-\d+)$/;

/** What fits a question, the best first, for people: each with why it is there and where it comes from. */
export function printHits(question: string, hits: readonly RecallHit[]): string {
  if (hits.length === 0) return nothingFits(question);
  return `${hits.flatMap(printHit).join("\n")}\n`;
}

function printHit({ type, id, text, reasons, source, memory }: RecallHit, at: number): string[] {
  const kind = memory === undefined ? "said" : (memory.category ?? memory.kind);
  const origin = originOf(source) || (memory?.byHand ? "told by hand" : "");
  const notes = memory === undefined ? [] : notesOf(memory);
  const from = [kind, origin, ...notes, type === "memory" ? printableLine(id) : `turn ${printableLine(id)}`];
  const why = reasons.map((reason) => printableLine(reason)).join("; ");
  return [
    `${`${at + 1}.`.padEnd(4)}${styleText("bold", printableLine(text, MAX_TEXT_LENGTH))}`,
    ...(why === "" ? [] : [`    why   ${why}`]),
    `    from  ${styleText("dim", from.filter((part) => part !== "").join(" · "))}`,
  ];
}

function nothingFits(question: string): string {
  const handle = HANDLE.test(question.trim()) ? " For a handle, name its session with --session." : "";
  return `Nothing that is remembered fits. --all shows what comes nearest.${handle}\n`;
}
