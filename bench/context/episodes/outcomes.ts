import type { Memory } from "../../../packages/throughline/src/ports/memory.ts";
import { printTable } from "../../print-table.ts";
import { mean, type Outcome, readLabeledSessions, readOptions } from "./labeled-sessions.ts";

const OUTCOMES: readonly Outcome[] = ["done", "partly", "open"];

/** A labeled outcome and the one that the last episode of the session states. */
interface Pair {
  readonly labeled: Outcome;
  readonly stated: Outcome;
}

/** Compares the outcomes that episodes state with labeled ones. */
export async function run(args: readonly string[]): Promise<number> {
  const options = readOptions("outcomes", args);
  if (options === undefined) return 2;
  const sessions = await readLabeledSessions(options);
  const pairs = sessions.map(({ outcome, episodes }) => ({ labeled: outcome, stated: outcomeOf(episodes.at(-1)) }));
  printTable(
    ["outcome", "labeled", "stated", "right", "F1"],
    OUTCOMES.map((outcome) => [
      outcome,
      pairs.filter(({ labeled }) => labeled === outcome).length,
      pairs.filter(({ stated }) => stated === outcome).length,
      pairs.filter(({ labeled, stated }) => labeled === outcome && stated === outcome).length,
      f1Of(outcome, pairs)?.toFixed(2) ?? "–",
    ]),
  );
  const unfinished = pairs.filter(({ labeled }) => labeled !== "done");
  const found = unfinished.filter(({ stated }) => stated !== "done").length;
  console.log(`Macro-F1: ${macroF1(pairs).toFixed(2)}; ${found} of ${unfinished.length} unfinished sessions found`);
  return 0;
}

/** Mean F1 of the outcomes that occur. */
export function macroF1(pairs: readonly Pair[]): number {
  return mean(OUTCOMES.flatMap((outcome) => f1Of(outcome, pairs) ?? []));
}

function f1Of(outcome: Outcome, pairs: readonly Pair[]): number | undefined {
  const labeled = pairs.filter((pair) => pair.labeled === outcome).length;
  const stated = pairs.filter((pair) => pair.stated === outcome).length;
  const right = pairs.filter((pair) => pair.labeled === outcome && pair.stated === outcome).length;
  return labeled + stated === 0 ? undefined : (2 * right) / (labeled + stated);
}

function outcomeOf(episode: Memory | undefined): Outcome {
  const text = episode?.levels.full ?? "";
  if (/^Outcome: Partly done/m.test(text)) return "partly";
  return /^Outcome: (?:Done|Answered)/m.test(text) ? "done" : "open";
}
