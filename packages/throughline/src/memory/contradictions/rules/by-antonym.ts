import { wordSet } from "../../../language/word-lists.ts";
import { align, shareSubject } from "../align.ts";
import type { Finding } from "../claim.ts";
import type { Term } from "../statements/read-terms.ts";
import type { Statement } from "../statements/statement.ts";
import { areAntonyms } from "../words/antonyms.ts";
import { firstOfPairs } from "./rule.ts";

/** How far the rest must agree, in the worse and in the better direction. */
const LIMITS = { least: 0.5, most: 0.8 };
const PARTICLES = wordSet("up down away on off out in");

/** Both say the same of the same but for one word, and those two words exclude each other. */
export function findAntonym(a: readonly Statement[], b: readonly Statement[]): Finding | undefined {
  return firstOfPairs(a.flatMap(readSenses), b.flatMap(readSenses), compare);
}

/** A statement with its senses: they are read once, not for each pair. */
interface Sensed {
  readonly statement: Statement;
  readonly senses: readonly string[];
}

function readSenses(statement: Statement): readonly Sensed[] {
  return isPlain(statement) ? [{ statement, senses: sensesOf(statement) }] : [];
}

function compare({ statement: a, senses: left }: Sensed, { statement: b, senses: right }: Sensed): Finding | undefined {
  if ((a.negation === undefined) !== (b.negation === undefined)) return undefined;
  if (!shareSubject(a, b, true) && !shareSubject(b, a, true)) return undefined;
  for (const x of left) {
    if (right.includes(x)) continue;
    const y = right.find((sense) => areAntonyms(x, sense) && !left.includes(sense));
    const confidence = y === undefined ? undefined : restAgrees(without(a, x), without(b, y));
    if (confidence !== undefined)
      return { kind: "antonym", reason: `“${x}” and “${y}” exclude each other.`, confidence };
  }
  return undefined;
}

function isPlain({ isUnreal, isUnsure }: Statement): boolean {
  return !isUnreal && !isUnsure;
}

/** How far the rest agrees, where it does enough; `I am single` has no rest. */
function restAgrees(a: readonly Term[], b: readonly Term[]): number | undefined {
  if (a.length === 0 && b.length === 0) return 1;
  const { least, most } = align(a, b, true);
  return least >= LIMITS.least && most >= LIMITS.most ? (least + most) / 2 : undefined;
}

/**
 * The bases of the words, a verb and its particle also as one. What stands before the head of a subject says which one is
 * meant: an old man and a young man are two.
 */
function sensesOf({ words, subject }: Statement): readonly string[] {
  const from = subject.person === "third" ? Math.max(0, subject.length - 1) : 0;
  return words.slice(from).flatMap((word, nth, behind): readonly string[] => {
    const base = withoutLy(word.base);
    const [next, after] = [behind[nth + 1]?.text ?? "", behind[nth + 2]?.text ?? ""];
    if (PARTICLES.has(next) && base !== "be") return [`${base}-${next}`, base];
    return PARTICLES.has(after) && nth + 3 === behind.length ? [base, `${base}-${after}`] : [base];
  });
}

function withoutLy(base: string): string {
  return base.length > 6 && base.endsWith("ly") ? base.slice(0, -2) : base;
}

function without({ terms }: Statement, sense: string): readonly Term[] {
  const [verb] = sense.split("-");
  return terms.filter(({ base }) => withoutLy(base) !== sense && base !== verb);
}
