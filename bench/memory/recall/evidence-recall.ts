import { type Cell, printTable } from "../../print-table.ts";
import type { Conversation } from "./conversation.ts";
import { RANKERS } from "./rankers.ts";

const DEPTHS: readonly number[] = [1, 5, 10, 25, 50];

/** Recall of questions by group (`all`, a category or a conversation), one number per depth. */
type Recalls = ReadonlyMap<string, readonly (readonly number[])[]>;

/** Evidence recall@k of each ranker, averaged over questions. */
export async function measureRecall(conversations: readonly Conversation[]): Promise<ReadonlyMap<string, Recalls>> {
  const results = new Map<string, Recalls>();
  for (const [name, ranker] of Object.entries(RANKERS)) {
    const recalls = new Map<string, number[][]>();
    for (const conversation of conversations) {
      const rank = await ranker(conversation);
      for (const { text, category, evidence, isAnswerable } of conversation.questions) {
        if (!isAnswerable || evidence.length === 0) continue;
        const found = await rank(text, Math.max(...DEPTHS));
        const shares = DEPTHS.map((depth) => {
          const first = new Set(found.slice(0, depth));
          return evidence.filter((id) => first.has(id)).length / evidence.length;
        });
        for (const group of ["all", category, conversation.name]) {
          recalls.set(group, [...(recalls.get(group) ?? []), shares]);
        }
      }
    }
    results.set(name, recalls);
  }
  return results;
}

/** The mean recall of a group at a depth, in percent. */
export function recallAt(recalls: Recalls | undefined, group: string, depth: number): number {
  const list = recalls?.get(group) ?? [];
  const at = DEPTHS.indexOf(depth);
  return (100 * list.reduce((sum, shares) => sum + (shares[at] ?? 0), 0)) / Math.max(1, list.length);
}

export function printByDepth(results: ReadonlyMap<string, Recalls>): void {
  printTable(
    ["ranker", ...DEPTHS.map((depth) => `R@${depth}`)],
    [...results].map(([name, recalls]) => [name, ...DEPTHS.map((depth) => recallAt(recalls, "all", depth).toFixed(1))]),
  );
}

export function printByGroup(results: ReadonlyMap<string, Recalls>, groups: readonly string[], title: string): void {
  const sizes = [...results.values()][0];
  console.log("");
  printTable(
    [title, "questions", ...results.keys()],
    groups.map((group): Cell[] => [
      group,
      sizes?.get(group)?.length ?? 0,
      ...[...results.values()].map((recalls) => recallAt(recalls, group, 10).toFixed(1)),
    ]),
  );
}
