import { align, basesOf, says, shareSubject } from "../align.ts";
import type { Finding } from "../claim.ts";
import type { Statement } from "../statements/statement.ts";
import { firstOfPairs } from "./rule.ts";

/** How far the rest must agree. */
const SHARE = 0.6;

/** One has what the other is without: `a man in a hat`, `a man without a hat`. */
export function findLack(a: readonly Statement[], b: readonly Statement[]): Finding | undefined {
  return firstOfPairs(a, b, (left, right) => compare(left, right) ?? compare(right, left));
}

function compare(lacking: Statement, having: Statement): Finding | undefined {
  const things = lacking.lacking;
  if (things.length === 0 || having.lacking.length > 0 || !isPlain(lacking) || !isPlain(having)) return undefined;
  if (!shareSubject(lacking, having, false)) return undefined;
  const had = basesOf(having.terms);
  if (!things.every((thing) => had.some((base) => says(base, thing, false)))) return undefined;
  const { least } = align(beside(lacking, things), beside(having, things), true);
  if (least < SHARE) return undefined;
  return { kind: "negation", reason: `One is without what the other has (${things.join(" ")}).`, confidence: least };
}

function isPlain({ negation, isUnreal, isUnsure }: Statement): boolean {
  return negation === undefined && !isUnreal && !isUnsure;
}

function beside({ terms }: Statement, things: readonly string[]) {
  return terms.filter(({ base }) => !things.includes(base) && base !== "without" && !base.endsWith("less"));
}
