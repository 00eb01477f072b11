import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { type RememberInput, ThroughlineError } from "throughline";
import {
  addTold,
  type Commit,
  commitEpisode,
  draftMemory,
  emptyTally,
  foreseeTelling,
  monthEpisodes,
  type RecordPorts,
  readTold,
  type Tally,
  tellAnew,
} from "throughline/internal";
import { type OpenData, OWNER, throughlineOf } from "../data/open-data.ts";
import { InputError } from "../input-error.ts";
import { InterruptedError } from "../interruption.ts";
import { Progress } from "../progress.ts";
import { projectOf } from "../project.ts";
import { UsageError } from "../usage-error.ts";
import { gitHistory } from "../workspace/git/git-history.ts";
import { type GitState, gitState } from "../workspace/git/git-state.ts";
import { openWorkspace } from "../workspace/open-workspace.ts";
import { learningPorts } from "./learning-deps.ts";

/** What came of the history of a repository. */
export interface ImportedRepository {
  readonly folder: string;
  /** Commits that were read. */
  readonly commits: number;
  /** What became of the episodes found in them, or would in a dry run. */
  readonly episodes: Tally;
  /** Episodes that cannot be stored, a line each with the reason. */
  readonly refused: readonly string[];
  /** In a dry run: the episodes that would be added or updated, a line each. */
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

/** How far back it is read: what is older says little of how things are. */
const MAX_COMMITS = 3_000;
const MAX_EPISODES = 400;
/** So often it is written down how far it got. */
const BATCH = 40;
const KIND = "history";
const PROBLEMS: Readonly<Partial<Record<GitState["state"], string>>> = {
  none: "It is not a git repository.",
  empty: "The repository has no commits.",
  "no-git": "Git is not installed.",
};

/** Whether a folder is one that git keeps. */
export function isRepository(folder: string): boolean {
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
  return isFolder && (existsSync(path.join(folder, ".git")) || existsSync(path.join(folder, "HEAD")));
}

/**
 * Remembers what the history of a repository tells: changes that say why they were made, and what happened to each area
 * month by month. Episodes that are stored already are written again only if they changed, so an interrupted import resumes
 * if it is started again.
 */
export async function importRepository(named: string, request: RepositoryRequest): Promise<ImportedRepository> {
  const folder = path.resolve(named);
  const { dryRun, signal } = request;
  const result = { folder, commits: 0, episodes: emptyTally(), refused: [] as readonly string[] };
  try {
    const projectId = request.project ?? projectOf(folder).id;
    const commits = await readHistory(folder, signal);
    const { episodes, refused } = historyEpisodes(commits, projectId);
    Object.assign(result, { commits: commits.length, refused });
    const data = await request.open();
    const ports = await learningPorts(data, projectId);
    if (dryRun) return { ...result, foreseen: await foreseeAll(ports, episodes, result.episodes) };
    const { context } = await throughlineOf(data.store, projectId, openWorkspace(folder));
    await context.learnHistory({ signal });
    await tellAll(ports, episodes, result.episodes, signal);
    return result;
  } catch (error) {
    if (error instanceof InterruptedError || signal.aborted) throw error;
    return { ...result, problem: new InputError(named, error) };
  }
}

async function readHistory(folder: string, signal: AbortSignal): Promise<readonly Commit[]> {
  const found = await gitState(folder, signal);
  if (found.state === "refused")
    throw new UsageError(`Git cannot read it: ${found.reason}`, "Run `git log` in that folder to see the problem.");
  const problem = PROBLEMS[found.state];
  if (problem !== undefined) throw new UsageError(problem, "Name the folder of a git repository.");
  const commits: Commit[] = [];
  for await (const commit of gitHistory(folder, { limit: MAX_COMMITS, signal })) commits.push(commit);
  return commits;
}

/** The episodes of a history; those that cannot be stored are left out, with the reason. */
function historyEpisodes(
  commits: readonly Commit[],
  projectId: string,
): { readonly episodes: readonly Episode[]; readonly refused: readonly string[] } {
  const telling = commits.flatMap((commit) => commitEpisode(commit, { projectId }) ?? []);
  const found = [...telling.slice(-MAX_EPISODES), ...monthEpisodes(commits, { projectId }).slice(-MAX_EPISODES)];
  const episodes: Episode[] = [];
  const refused: string[] = [];
  for (const episode of found) {
    try {
      draftMemory(episode, { owner: OWNER, projectId }, 0);
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

/** Counts what `tellAll` would do; what would be written comes back a line each. */
async function foreseeAll(ports: RecordPorts, found: readonly Episode[], tally: Tally): Promise<readonly string[]> {
  const told = await readTold(ports, KIND);
  const lines: string[] = [];
  for (const episode of found) {
    const outcome = await foreseeTelling(ports.memory, episode, told[episode.id]);
    tally[outcome] += 1;
    if (outcome === "added" || outcome === "updated") lines.push(lineOf(episode));
  }
  return lines;
}

/** @param tally counted up as episodes are written, so that it is right if it breaks off */
async function tellAll(
  ports: RecordPorts,
  found: readonly Episode[],
  tally: Tally,
  signal: AbortSignal,
): Promise<void> {
  const progress = new Progress("Remembering the history", found.length < BATCH ? 0 : found.length);
  const told = { ...(await readTold(ports, KIND)) };
  try {
    for (const [at, input] of found.entries()) {
      signal.throwIfAborted();
      const { outcome, digest } = await tellAnew(ports.memory, input, told[input.id]);
      tally[outcome] += 1;
      told[input.id] = digest;
      progress.advance(1);
      if ((at + 1) % BATCH === 0) await addTold(ports, KIND, told);
    }
    await addTold(ports, KIND, told);
  } finally {
    progress.end();
  }
}
