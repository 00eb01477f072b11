import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { PredictionInput } from "../../../packages/throughline/src/context/predict/gather-candidates.ts";
import { UseIndex } from "../../../packages/throughline/src/context/predict/use-index.ts";

export interface Repository {
  readonly name: string;
  /** Files of each commit, oldest first. */
  readonly commits: readonly (readonly string[])[];
}

/** An opened file and the other files of its commit. */
export interface OpenedFile {
  readonly index: UseIndex;
  readonly situation: PredictionInput;
  readonly opened: string;
  readonly targets: ReadonlySet<string>;
  /** True if no earlier commit had it. */
  readonly isNew: boolean;
  /** True if an earlier commit had one of the targets. */
  readonly hasKnownTarget: boolean;
}

export const TEST_SHARE = 0.2;

/** Reads the `*.jsonl` files of a folder, one repository each: `{ f: [paths] }` per line. */
export async function readRepositories(folder: string): Promise<readonly Repository[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".jsonl")).sort();
  return Promise.all(
    names.map(async (name) => {
      const lines = (await readFile(path.join(folder, name), "utf8")).trim().split("\n");
      const commits = lines.map((line) => (JSON.parse(line) as { f: readonly string[] }).f);
      return { name: name.replace(/\.jsonl$/, ""), commits };
    }),
  );
}

/**
 * Yields every file of the commits in a range of the history as the opened one, after learning only the commits before
 * it; or an even sample of them. The index keeps learning, so each item must be used before the next one is requested.
 */
export function* openFiles(
  { commits }: Repository,
  {
    from,
    to = 1,
    max = Number.POSITIVE_INFINITY,
  }: { readonly from: number; readonly to?: number; readonly max?: number },
): Generator<OpenedFile> {
  const index = new UseIndex();
  const [first, last] = [Math.floor(commits.length * from), Math.floor(commits.length * to)];
  const all = commits.slice(first, last).reduce((sum, files) => sum + files.length, 0);
  const draw = generator(11);
  for (const [at, files] of commits.slice(0, last).entries()) {
    for (const opened of at < first ? [] : files) {
      if (draw() * all >= max) continue;
      const targets = new Set(files.filter((file) => file !== opened));
      const isKnown = (file: string): boolean => index.idOf(file) !== undefined;
      const hasKnownTarget = [...targets].some(isKnown);
      yield { index, situation: openedAlone(opened), opened, targets, isNew: !isKnown(opened), hasKnownTarget };
    }
    index.add(files);
  }
}

function openedAlone(opened: string): PredictionInput {
  return { anchors: [opened], inSession: false, signals: [], words: [], mentions: new Map(), imports: new Set() };
}

/** A seeded random generator between 0 and 1. */
export function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
