import process from "node:process";
import { parseArgs } from "node:util";
import { findContradiction } from "../../../packages/throughline/src/memory/reconcile/contradictions.ts";
import { printTable } from "../../print-table.ts";
import { type ControlPair, readControls } from "./control-pairs.ts";
import { isConflict, isDevelopment, type Pair, readPairs } from "./read-pairs.ts";

/** A pair with the verdict of the rules. */
interface Judged {
  readonly pair: Pair;
  readonly kind: string | undefined;
}

/**
 * Counts the labeled pairs in which the rules find a conflict, by source, label and half. Reported without a target.
 */
export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { data: { type: "string" } }, strict: false });
  if (typeof values.data !== "string") {
    process.stderr.write(
      "Usage: npm run bench -- memory --data FOLDER\nFOLDER contains contradiction-pairs, msc_personasummary.\n",
    );
    return 2;
  }
  const pairs = await readPairs(values.data);
  const start = performance.now();
  const judged = pairs.map(
    (pair): Judged => ({ pair, kind: findContradiction({ text: pair.a }, { text: pair.b })?.relation }),
  );
  const time = (performance.now() - start) / pairs.length;
  printBySource(judged);
  printKinds(judged);
  printControls(await readControls(values.data, pairs));
  console.log(`\n${Math.round(time * 1_000)} µs a pair.`);
  return 0;
}

function printBySource(judged: readonly Judged[]): void {
  const rows = [...Map.groupBy(judged, ({ pair }) => `${pair.source} ${pair.gold}`)].map(([name, group]) => {
    const [first] = group;
    const isWanted = first !== undefined && isConflict(first.pair);
    const halves = [
      group.filter(({ pair }) => isDevelopment(pair)),
      group.filter(({ pair }) => !isDevelopment(pair)),
      group,
    ];
    const simple = group.filter(({ pair }) => simpleRule(pair.a, pair.b)).length / group.length;
    return [
      name,
      isWanted ? "find" : "leave",
      ...halves.flatMap((half) => [half.length, percent(found(half))]),
      percent(simple),
    ];
  });
  console.log("Contradictions by rules: share of the pairs in which one is found\n");
  printTable(["source", "should", "dev", "found", "held out", "found", "all", "found", "simple rule"], rows);
}

function printKinds(judged: readonly Judged[]): void {
  const hits = judged.filter(({ kind }) => kind !== undefined);
  const rows = [...Map.groupBy(hits, ({ kind }) => kind ?? "")].map(([kind, group]) => {
    const right = group.filter(({ pair }) => isConflict(pair)).length;
    return [kind, group.length, percent(right / group.length)];
  });
  console.log("\nBy relation\n");
  printTable(["relation", "found", "of them conflicts"], rows);
}

function printControls(controls: readonly (readonly [string, readonly ControlPair[]])[]): void {
  const rows = controls.map(([name, pairs]) => {
    const isFound = ({ a, b }: ControlPair) => findContradiction({ text: a }, { text: b }) !== undefined;
    const simple = pairs.filter(({ a, b }) => simpleRule(a, b)).length;
    return [
      name,
      pairs.length,
      percent(pairs.filter(isFound).length / pairs.length, 2),
      percent(simple / pairs.length, 2),
    ];
  });
  console.log("\nPairs that are not labeled as contradictory\n");
  printTable(["pairs", "count", "found", "simple rule"], rows);
}

function found(judged: readonly Judged[]): number {
  return judged.length === 0 ? 0 : judged.filter(({ kind }) => kind !== undefined).length / judged.length;
}

function percent(share: number, digits = 1): string {
  return `${(100 * share).toFixed(digits)}%`;
}

const DENIAL = /\b(?:no|not|nobody|none|never|nothing|without|neither|nor|cannot)\b|n['’]t\b/i;
const NUMBER = /\b(?:\d[\d,.]*|one|two|three|four|five|six|seven|eight|nine|ten)\b/gi;
const SHARED = 0.5;

/** Baseline: one text has a negation or another number, and they share half of their words. */
function simpleRule(a: string, b: string): boolean {
  const [left, right] = [wordsOf(a), wordsOf(b)];
  const shared = [...left].filter((word) => right.has(word)).length;
  if (shared < SHARED * Math.min(left.size, right.size)) return false;
  const [mine, yours] = [numbersOf(a), numbersOf(b)];
  return DENIAL.test(a) !== DENIAL.test(b) || (mine !== "" && yours !== "" && mine !== yours);
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[a-z]{4,}/g) ?? []);
}

function numbersOf(text: string): string {
  return (text.toLowerCase().match(NUMBER) ?? []).sort().join();
}
