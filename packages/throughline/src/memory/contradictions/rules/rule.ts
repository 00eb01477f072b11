import type { Finding } from "../claim.ts";
import type { Statement } from "../statements/statement.ts";

/** One way in which two texts can contradict each other; the order of the two does not matter. */
export type Rule = (a: readonly Statement[], b: readonly Statement[]) => Finding | undefined;

/** The first finding among all pairs of items, one of each text. */
export function firstOfPairs<T>(
  a: readonly T[],
  b: readonly T[],
  compare: (left: T, right: T) => Finding | undefined,
): Finding | undefined {
  for (const left of a) {
    for (const right of b) {
      const finding = compare(left, right);
      if (finding !== undefined) return finding;
    }
  }
  return undefined;
}

/** The statements of each sentence of a text. */
export function bySentence(statements: readonly Statement[]): readonly (readonly Statement[])[] {
  return [...Map.groupBy(statements, ({ sentence }) => sentence).values()];
}
