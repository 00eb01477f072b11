import type { Workspace } from "../../ports/workspace.ts";
import type { PredictedFile } from "../context-api.ts";
import { folderOf } from "../file-paths.ts";
import type { BuiltIndex } from "./learn/known-uses.ts";
import type { PredictionInput } from "./score/prediction-input.ts";
import { predictionReasons } from "./score/prediction-reasons.ts";
import { type RankedFile, rankFiles, spreadFiles } from "./score/rank-files.ts";
import { calibrateAny } from "./score/weights.ts";
import { findMentions } from "./signals/find-mentions.ts";
import type { ReadSignal } from "./signals/read-signal.ts";

/** Known data besides the event. */
export interface PredictionDeps {
  readonly built: BuiltIndex;
  readonly workspace: Workspace | undefined;
  /** Files of the session, newest last. */
  readonly sessionFiles: readonly string[];
  /** Files that were changed after each earlier occurrence of the error. */
  readonly ledTo: readonly (readonly string[])[];
}

/** Maximum number of rounds that check whether the chosen files exist. */
const MAX_LOOKS = 5;

export interface PredictedFiles {
  /** Most likely first. */
  readonly files: readonly PredictedFile[];
  /** Probability that at least one of them is used. */
  readonly confidence: number;
}

/** Files that are likely to be used. */
export async function predictFiles(signal: ReadSignal, deps: PredictionDeps): Promise<PredictedFiles> {
  const { built, workspace } = deps;
  const input = await readPredictionInput(signal, deps);
  const ranked = rankFiles(built.index, input);
  const choose = (files: readonly RankedFile[]) => spreadFiles(built.index, input, files, signal.limit);
  const seen = new Set([...input.mentions.keys(), ...(input.ledTo ?? []).flat()]);
  const isKnown = ({ path }: RankedFile) => built.index.idOf(path) !== undefined || seen.has(path);
  const chosen = await chooseThere(ranked, workspace, isKnown, choose);
  const confidences = chosen.map(({ confidence }) => confidence);
  return {
    files: chosen.map((file) => ({
      path: file.path,
      confidence: file.confidence,
      reasons: predictionReasons(file, input),
    })),
    confidence: calibrateAny(confidences, input),
  };
}

async function readPredictionInput(
  { file, recentFiles, signals, hour, words, seen, error, sessionId }: ReadSignal,
  { built, workspace, sessionFiles, ledTo }: PredictionDeps,
): Promise<PredictionInput> {
  const earlier = recentFiles.length > 0 ? recentFiles : sessionFiles;
  const anchors = [...new Set([...(file === undefined ? [] : [file]), ...earlier.toReversed()])];
  const shown = [seen, error].filter((text) => text !== undefined).join("\n");
  const near = [...new Set(anchors.map(folderOf))];
  const ownBasket = sessionId === undefined ? undefined : built.baskets.get(sessionId);
  return {
    anchors,
    inSession: sessionId !== undefined || earlier.length > 0 || seen !== undefined,
    // The hour is weak evidence, used only if there is no other.
    signals: anchors.length === 0 && signals.length === 0 ? [hour] : signals,
    words,
    ledTo,
    mentions: shown === "" ? new Map() : findMentions(shown, built.index, near),
    imports: new Set(file === undefined ? [] : await importsOf(workspace, file)),
    ...(ownBasket !== undefined && { ownBasket }),
  };
}

/** Imports of a file. Empty if it cannot be parsed, so that prediction continues. */
async function importsOf(workspace: Workspace | undefined, file: string): Promise<readonly string[]> {
  try {
    return (await workspace?.importsOf(file)) ?? [];
  } catch {
    return [];
  }
}

/**
 * Chooses among files that exist in the workspace. Where that cannot be checked, it chooses among files that were used
 * before: a name that only follows from the names of others may not exist.
 */
async function chooseThere(
  ranked: readonly RankedFile[],
  workspace: Workspace | undefined,
  isKnown: (file: RankedFile) => boolean,
  choose: (files: readonly RankedFile[]) => readonly RankedFile[],
): Promise<readonly RankedFile[]> {
  if (workspace === undefined) return choose(ranked.filter(isKnown));
  const isThere = new Map<string, boolean>();
  for (let looks = 0; looks < MAX_LOOKS; looks += 1) {
    const chosen = choose(ranked.filter(({ path }) => isThere.get(path) !== false));
    const unknown = chosen.filter(({ path }) => !isThere.has(path));
    if (unknown.length === 0) return chosen;
    const looked = unknown.map(
      async (file) => [file.path, (await exists(workspace, file.path)) ?? isKnown(file)] as const,
    );
    for (const [path, found] of await Promise.all(looked)) isThere.set(path, found);
  }
  return choose(ranked.filter(({ path }) => isThere.get(path) === true));
}

/** Undefined if the workspace cannot say. */
async function exists(workspace: Workspace, path: string): Promise<boolean | undefined> {
  try {
    return (await workspace.digest(path)) !== undefined;
  } catch {
    return undefined;
  }
}
