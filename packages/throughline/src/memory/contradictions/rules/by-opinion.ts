import { basesOf, coverage, shareSubject, withoutAlternatives } from "../align.ts";
import type { Finding } from "../claim.ts";
import { type Opinion, readOpinion } from "../statements/read-opinion.ts";
import type { Statement } from "../statements/statement.ts";

/** The share of what is disliked that must be liked. */
const SHARE = 0.75;

/** An opinion and where it is said. */
interface Held {
  readonly opinion: Opinion;
  readonly statement: Statement;
}

/** One likes what the other dislikes. */
export function findOpinion(a: readonly Statement[], b: readonly Statement[]): Finding | undefined {
  const [left, right] = [a.flatMap(readHeld), b.flatMap(readHeld)];
  for (const mine of left) {
    for (const yours of right) {
      if (mine.opinion.isGood === yours.opinion.isGood || !isSameHolder(mine, yours)) continue;
      const finding = mine.opinion.isGood ? compare(mine, yours) : compare(yours, mine);
      if (finding !== undefined) return finding;
    }
  }
  return undefined;
}

function readHeld(statement: Statement): readonly Held[] {
  const opinion = readOpinion(statement);
  return opinion === undefined ? [] : [{ opinion, statement }];
}

function isSameHolder(a: Held, b: Held): boolean {
  if (a.opinion.holder !== b.opinion.holder || a.statement.isPast !== b.statement.isPast) return false;
  return a.opinion.holder !== "third" || shareSubject(a.statement, b.statement, false);
}

/** Who dislikes one sort may well like the rest: what is disliked must take in all that is liked. */
function compare({ opinion: liking }: Held, { opinion: disliking, statement }: Held): Finding | undefined {
  const liked = basesOf(liking.of);
  const { share } = coverage(withoutAlternatives(statement.words, disliking.of, liked), liked, true);
  if (share < SHARE) return undefined;
  return { kind: "opinion", reason: `One likes what the other dislikes (${liked.join(", ")}).`, confidence: share };
}
