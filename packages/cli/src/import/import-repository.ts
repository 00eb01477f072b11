import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { type RememberInput, ThroughlineError } from "throughline";
import {
  addDigests,
  type Commit,
  commitEpisode,
  draftMemory,
  emptyCounts,
  monthEpisodes,
  type OutcomeCounts,
  previewUpsert,
  type RecordPorts,
  readDigests,
  upsertLearned,
} from "throughline/internal/engine";
import { refuseExcluded } from "../config/excluded-folders.ts";
import { projectOf } from "../config/project.ts";
import { LOCAL_USER, learningDeps, type OpenData, throughlineOf } from "../data/open-data.ts";
import { InterruptedError } from "../terminal/interruption.ts";
import { Progress } from "../terminal/progress.ts";
import { InputError, UsageError } from "../usage-error.ts";
import { gitHistory } from "../workspace/git-history.ts";
import { type GitState, gitState } from "../workspace/run-git.ts";
import { openWorkspace } from "../workspace/workspace.ts";

/** The result of importing a repository's history. */
export interface ImportedRepository {
  readonly folder: string;
  /** Number of commits read. */
  readonly commits: number;
  /** Counts of the episodes, also in a dry run. */
  readonly episodes: OutcomeCounts;
  /** Episodes that could not be stored, one line each with the reason. */
  readonly refused: readonly string[];
  /** In a dry run: the episodes that would be added or updated, one line each. */
  readonly foreseen?: readonly string[];
  /** Why it could not be read, or not to its end. */
  readonly problem?: InputError;
}

type Episode = RememberInput & { readonly id: string };

interface RepositoryRequest {
  readonly open: () => Promise<OpenData>;
  readonly project: string | undefined;
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
}

/** Maximum commits to read; older ones say little about the present. */
const MAX_COMMITS = 3_000;
const MAX_EPISODES = 400;
/** Episodes between two saves of the progress. */
const BATCH = 40;
const KIND = "history";
const PROBLEMS: Readonly<Partial<Record<GitState["state"], string>>> = {
  none: "Not a git repository.",
  empty: "The repository has no commits.",
  "no-git": "Git is not installed.",
};

/** True if the folder is a git repository. */
export function isRepository(folder: string): boolean {
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
  return isFolder && (existsSync(path.join(folder, ".git")) || existsSync(path.join(folder, "HEAD")));
}

/**
 * Stores episodes from a repository's history: changes with a stated reason, and monthly summaries per area. Unchanged
 * episodes are not written again, so an interrupted import resumes when it is repeated.
 */
export async function importRepository(named: string, request: RepositoryRequest): Promise<ImportedRepository> {
  const folder = path.resolve(named);
  const { dryRun, signal } = request;
  const result = { folder, commits: 0, episodes: emptyCounts(), refused: [] as readonly string[] };
  try {
    refuseExcluded(folder);
    const projectId = request.project ?? projectOf(folder).id;
    const commits = await readHistory(folder, signal);
    const { episodes, refused } = historyEpisodes(commits, projectId);
    Object.assign(result, { commits: commits.length, refused });
    const data = await request.open();
    const ports = await learningDeps(data, projectId);
    if (dryRun) return { ...result, foreseen: await previewEpisodes(ports, episodes, result.episodes) };
    const { context } = await throughlineOf(data, projectId, openWorkspace(folder));
    await context.learnHistory({ signal });
    await writeEpisodes(ports, episodes, result.episodes, signal);
    return result;
  } catch (error) {
    if (error instanceof InterruptedError || signal.aborted) throw error;
    return { ...result, problem: new InputError(named, error) };
  }
}

async function readHistory(folder: string, signal: AbortSignal): Promise<readonly Commit[]> {
  const found = await gitState(folder, signal);
  if (found.state === "refused")
    throw new UsageError(
      `Git could not read the repository: ${found.reason}`,
      "Run `git log` in that folder to see the problem.",
    );
  const problem = PROBLEMS[found.state];
  if (problem !== undefined) throw new UsageError(problem, "Give the folder of a git repository.");
  const commits: Commit[] = [];
  for await (const commit of gitHistory(folder, { limit: MAX_COMMITS, signal })) commits.push(commit);
  return commits;
}

/** The episodes of a history, without those that cannot be stored, which are listed with the reason. */
function historyEpisodes(
  commits: readonly Commit[],
  projectId: string,
): { readonly episodes: readonly Episode[]; readonly refused: readonly string[] } {
  const explained = commits.flatMap((commit) => commitEpisode(commit, { projectId }) ?? []);
  const found = [...explained.slice(-MAX_EPISODES), ...monthEpisodes(commits, { projectId }).slice(-MAX_EPISODES)];
  const episodes: Episode[] = [];
  const refused: string[] = [];
  for (const episode of found) {
    try {
      draftMemory(episode, { userId: LOCAL_USER, projectId }, 0);
      episodes.push(episode);
    } catch (error) {
      if (!ThroughlineError.isInstance(error)) throw error;
      refused.push(`${lineOf(episode)}: ${error.message}`);
    }
  }
  return { episodes, refused };
}

function lineOf({ levels, title = "" }: Episode): string {
  return levels?.compressed ?? title;
}

/** Counts what `tellAll` would do, and describes it in lines. */
async function previewEpisodes(
  ports: RecordPorts,
  found: readonly Episode[],
  tally: OutcomeCounts,
): Promise<readonly string[]> {
  const digests = await readDigests(ports, KIND);
  const lines: string[] = [];
  for (const episode of found) {
    const outcome = await previewUpsert(ports.memory, episode, digests[episode.id]);
    tally[outcome] += 1;
    if (outcome === "added" || outcome === "updated") lines.push(lineOf(episode));
  }
  return lines;
}

/** @param tally outcome counts, updated after each episode, so that they are correct after an interruption */
async function writeEpisodes(
  ports: RecordPorts,
  found: readonly Episode[],
  tally: OutcomeCounts,
  signal: AbortSignal,
): Promise<void> {
  const progress = new Progress("Reading the history", found.length < BATCH ? 0 : found.length);
  const digests = { ...(await readDigests(ports, KIND)) };
  try {
    for (const [at, input] of found.entries()) {
      signal.throwIfAborted();
      const { outcome, digest } = await upsertLearned(ports.memory, input, digests[input.id]);
      tally[outcome] += 1;
      digests[input.id] = digest;
      progress.advance(1);
      if ((at + 1) % BATCH === 0) await addDigests(ports, KIND, digests);
    }
    await addDigests(ports, KIND, digests);
  } finally {
    progress.end();
  }
}
