import { readFile } from "node:fs/promises";
import path from "node:path";

/** Two texts of one speaker or scene, with a human label. */
export interface Pair {
  readonly source: string;
  /** `contradiction` and `update` are conflicts; `neutral`, `entailment` and `reaffirm` are not. */
  readonly gold: string;
  readonly group: string;
  readonly a: string;
  readonly b: string;
}

const CONFLICTS: readonly string[] = ["contradiction", "update"];

export function isConflict({ gold }: Pair): boolean {
  return CONFLICTS.includes(gold);
}

/** Reads the labeled pairs below a folder. */
export async function readPairs(folder: string): Promise<readonly Pair[]> {
  const text = await readFile(path.join(folder, "contradiction-pairs", "pairs.jsonl"), "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Pair);
}

/** True for the development half, split by group, on which the rules were written; the other half was only measured. */
export function isDevelopment({ group }: Pair): boolean {
  let hash = 0x811c9dc5;
  for (const letter of `${group}#`) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193) >>> 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b) >>> 0;
  return (hash ^ (hash >>> 13)) % 2 === 0;
}
