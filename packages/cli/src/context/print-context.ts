import { styleText } from "node:util";
import type { AssembledContext } from "throughline";
import type { ContextItem, ContextReceipt, PredictedFile } from "throughline/context";
import { count, number } from "../format-values.ts";
import { printable, printableLine } from "../printable.ts";

/** What an agent is told, and the files that are likely next. */
export interface ShownContext extends AssembledContext {
  readonly files: readonly PredictedFile[];
}

const MAX_MISSES = 10;

/** For people: the block as it is, what it costs, and with `why` where each of its lines comes from. */
export function printContext({ context, tokenCount, tiers, receipt, files }: ShownContext, why: boolean): string {
  const { tier1, tier2, tier3, tier4 } = tiers;
  const parts = `critical ${number(tier1)}, relevant ${number(tier2)}, background ${number(tier3)}, index ${number(tier4)}`;
  const cost = `${number(tokenCount)} of ${number(receipt.budget)} tokens: ${parts}.`;
  const sections = [
    context === "" ? [sayNothing(receipt)] : [printable(context), "", cost],
    files.length === 0 ? [] : ["Likely next:", ...files.map(printFile)],
    why && receipt.items.length > 0 ? ["Why each is there:", ...receipt.items.map(printItem)] : [],
    why ? printMisses(receipt.nearMisses) : [],
    receipt.notes.map((note) => printableLine(note)),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

function sayNothing({ nearMisses, budget }: ContextReceipt): string {
  return nearMisses.length === 0
    ? "Nothing that is remembered has to do with it."
    : `Nothing of it fits in ${count(budget, "token")}; --budget gives more.`;
}

function printFile({ path, confidence, reasons }: PredictedFile): string {
  const likely = `${Math.round(100 * confidence)}%`.padStart(5);
  return `${likely}  ${printableLine(path)}  ${styleText("dim", reasons.map((reason) => printableLine(reason)).join("; "))}`;
}

function printItem({ id, tier, level, rule, tokens, reasons }: ContextItem): string {
  const place = [tier, rule, level, `${number(tokens)} tokens`].join(" · ");
  const why = reasons.map((reason) => printableLine(reason)).join("; ");
  return `  ${printableLine(id)}  ${place}${why === "" ? "" : `  ${styleText("dim", why)}`}`;
}

function printMisses(misses: readonly ContextItem[]): readonly string[] {
  return misses.length === 0 ? [] : ["Found no room:", ...misses.slice(0, MAX_MISSES).map(printItem)];
}
