import type { Workspace } from "../../ports/workspace.ts";
import type { PredictedFile } from "../context-api.ts";
import { fileName, folderOf } from "../file-paths.ts";
import { FEATURES, type Feature, FeatureReader } from "./file-features.ts";
import { calibrate, calibrateAny, score, weightOf } from "./file-weights.ts";
import { findMentions } from "./find-mentions.ts";
import { gatherCandidates, type PredictionInput } from "./gather-candidates.ts";
import type { BuiltIndex } from "./known-uses.ts";
import { describeSignal, type ReadSignal } from "./read-signal.ts";
import type { UseIndex } from "./use-index.ts";

/** Known data besides the event. */
interface PredictionDeps {
  readonly built: BuiltIndex;
  readonly workspace: Workspace | undefined;
  /** Files of the session, newest last. */
  readonly sessionFiles: readonly string[];
  /** Files that were changed after each earlier occurrence of the error. */
  readonly ledTo: readonly (readonly string[])[];
}

/** Maximum number of rounds that check whether the chosen files exist. */
const MAX_ROUNDS = 5;

interface PredictedFiles {
  /** Most likely first. */
  readonly files: readonly PredictedFile[];
  /** Probability that at least one of them is used. */
  readonly confidence: number;
}

export async function predictFiles(signal: ReadSignal, deps: PredictionDeps): Promise<PredictedFiles> {
  const { built, workspace } = deps;
  const input = await readPredictionInput(signal, deps);
  const ranked = rankFiles(built.index, input);
  const choose = (files: readonly RankedFile[]) => spreadFiles(built.index, input, files, signal.limit);
  const seen = new Set([...input.mentions.keys(), ...(input.ledTo ?? []).flat()]);
  const isKnown = ({ path }: RankedFile) => built.index.idOf(path) !== undefined || seen.has(path);
  const chosen = await chooseExisting(ranked, workspace, isKnown, choose);
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
async function chooseExisting(
  ranked: readonly RankedFile[],
  workspace: Workspace | undefined,
  isKnown: (file: RankedFile) => boolean,
  choose: (files: readonly RankedFile[]) => readonly RankedFile[],
): Promise<readonly RankedFile[]> {
  if (workspace === undefined) return choose(ranked.filter(isKnown));
  const isThere = new Map<string, boolean>();
  for (let looks = 0; looks < MAX_ROUNDS; looks += 1) {
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

/** A file with its probability. */
export interface RankedFile {
  readonly path: string;
  /** Id in the index. -1 for a file without history. */
  readonly id: number;
  readonly features: Float64Array;
  readonly score: number;
  readonly confidence: number;
}

/** Number of best files to choose from. */
const MAX_RANKED = 60;

/** Most likely files, best first. More than the limit, so that the caller can choose. */
export function rankFiles(
  index: UseIndex,
  input: PredictionInput,
  judge: (features: Float64Array) => number = score,
): readonly RankedFile[] {
  const candidates = gatherCandidates(index, input);
  const reader = new FeatureReader(index, input, candidates);
  return candidates
    .map((candidate) => {
      const features = reader.read(candidate);
      return { path: candidate.path, id: candidate.id, features, score: judge(features) };
    })
    .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1))
    .slice(0, MAX_RANKED)
    .map((file) => ({ ...file, confidence: calibrate(file.score, input) }));
}

/** Penalties for similarity to a chosen file: always used together, same folder, same name. */
const SAME_USES = 0.4;
const SAME_FOLDER = 0.1;
const SAME_NAME = 0.1;
const MAX_USES = 60;

/**
 * Chooses diverse files. An opened file can be the start of several tasks, so after files of one task, a file of
 * another is worth more. In a session the task is clearer, and the best files are taken.
 */
export function spreadFiles(
  index: UseIndex,
  { inSession }: Pick<PredictionInput, "inSession">,
  ranked: readonly RankedFile[],
  limit: number,
): readonly RankedFile[] {
  if (inSession || ranked.length <= limit) return ranked.slice(0, limit);
  const left = ranked.map((file) => ({ file, worth: file.confidence, uses: usesOf(index, file) }));
  const chosen: RankedFile[] = [];
  while (chosen.length < limit) {
    const at = left.reduce((best, one, place) => (one.worth > (left[best]?.worth ?? 0) ? place : best), 0);
    const [best] = left.splice(at, 1);
    if (best === undefined) break;
    chosen.push(best.file);
    for (const other of left)
      other.worth *= (1 - SAME_USES * likeness(best.uses, other.uses)) * pathDistance(index, best.file, other.file);
  }
  return chosen.sort((a, b) => b.confidence - a.confidence || (a.path < b.path ? -1 : 1));
}

function usesOf(index: UseIndex, { id }: RankedFile): ReadonlySet<number> {
  return new Set(index.usesOf(id).slice(-MAX_USES));
}

function likeness(a: ReadonlySet<number>, b: ReadonlySet<number>): number {
  let shared = 0;
  for (const use of a) if (b.has(use)) shared += 1;
  return shared / Math.sqrt((a.size + 1) * (b.size + 1));
}

function pathDistance(index: UseIndex, a: RankedFile, b: RankedFile): number {
  const [one, other] = [index.files[a.id], index.files[b.id]];
  if (one === undefined || other === undefined) return 1;
  return (one.folder === other.folder ? 1 - SAME_FOLDER : 1) * (one.name === other.name ? 1 - SAME_NAME : 1);
}

/** Minimum share of the odds for a reason. */
const MIN = 0.3;
const MAX_REASONS = 3;

/** Reasons by name: the features that give them, and the phrase about the opened file. */
const REASONS: Readonly<Record<string, readonly [features: readonly Feature[], phrase: (opened: string) => string]>> = {
  used: [["together", "times"], (opened) => `used together with ${opened}`],
  next: [["next"], (opened) => `came next after ${opened}`],
  around: [["folder", "above", "folderOfPartner"], (opened) => `used with what lies around ${opened}`],
  kin: [["kin"], (opened) => `used with files named like ${opened}`],
  lately: [["recent", "age", "popular"], () => "used lately"],
  signal: [["signal"], () => ""],
  near: [["sameFolder", "nearFolder", "distance"], (opened) => `near ${opened}`],
  named: [["companion", "companionOfEarlier", "habit", "sameName"], (opened) => `named for the same as ${opened}`],
  alike: [["likePath", "likeEarlier", "rareWord"], (opened) => `its path has words of ${opened}`],
  shown: [["mentioned", "mentions"], () => "named in the session"],
  imported: [["imported"], (opened) => `imported by ${opened}`],
  work: [["likeWork"], () => "its path has words of the branch"],
};
const REASON_OF: ReadonlyMap<string, string> = new Map(
  Object.entries(REASONS).flatMap(([reason, [features]]) => features.map((feature) => [feature, reason] as const)),
);

/** The strongest reasons for a predicted file, in short phrases. */
function predictionReasons({ features, path }: RankedFile, input: PredictionInput): readonly string[] {
  const odds = new Map<string, number>();
  FEATURES.forEach((name, at) => {
    const reason = REASON_OF.get(name.replace(/^(?:new|session)-/, ""));
    const part = weightOf(name) * (features[at] ?? 0);
    if (reason !== undefined) odds.set(reason, (odds.get(reason) ?? 0) + part);
  });
  const [first] = input.anchors;
  const opened = first === undefined ? "recent files" : fileName(first);
  return [...odds]
    .filter(([, part]) => part >= MIN)
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, MAX_REASONS)
    .map(([reason]) => (reason === "signal" ? textOfSignals(path, input) : (REASONS[reason]?.[1](opened) ?? "")));
}

/** The signals that a file was used with before. */
function textOfSignals(path: string, { signals, ledTo = [] }: PredictionInput): string {
  if (ledTo.some((files) => files.includes(path))) return "changed after the same error before";
  return `used ${signals.map(describeSignal).join(", ")} before`;
}
