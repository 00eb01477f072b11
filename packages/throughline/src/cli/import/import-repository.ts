import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { commitEpisode } from "../../context/episodes/commit-episode.ts";
import { monthEpisodes } from "../../context/episodes/month-episodes.ts";
import type { RecordPorts } from "../../context/episodes/record-ports.ts";
import { emptyTally, type Tally, tellAnew } from "../../context/episodes/tell-anew.ts";
import { addTold, readTold } from "../../context/episodes/told-digests.ts";
import type { RememberInput } from "../../memory/service/memory-api.ts";
import type { Commit } from "../../ports/workspace.ts";
import { gitHistory } from "../../workspace/git/git-history.ts";
import { type GitState, gitState } from "../../workspace/git/git-state.ts";
import { openWorkspace } from "../../workspace/open-workspace.ts";
import { type OpenData, throughlineOf } from "../data/open-data.ts";
import { InputError } from "../input-error.ts";
import { InterruptedError } from "../interruption.ts";
import { Progress } from "../progress.ts";
import { projectOf } from "../project-of.ts";
import { UsageError } from "../usage-error.ts";
import { learningPorts } from "./learning-ports.ts";

/** What came of the history of a repository. */
export interface ImportedRepository {
  readonly folder: string;
  /** Changes that were read. */
  readonly commits: number;
  readonly episodes: Tally;
  /** What would be remembered, in a line each, where nothing is. */
  readonly foreseen?: readonly string[];
  /** Why it could not be read. */
  readonly problem?: InputError;
}

interface RepositoryRequest {
  readonly open: () => Promise<OpenData>;
  readonly project: string | undefined;
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
}

/** How far back it is read: what is older says little of how things are. */
const MOST_COMMITS = 3_000;
const MOST_EPISODES = 400;
/** So often it is written down how far it got. */
const BATCH = 40;
const KIND = "history";
const PROBLEMS: Readonly<Partial<Record<GitState["state"], string>>> = {
  none: "It is no git repository.",
  empty: "Nothing was ever committed to it.",
  "no-git": "Git is not installed.",
};

/** Whether a folder is one that git keeps. */
export function isRepository(folder: string): boolean {
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
  return isFolder && (existsSync(path.join(folder, ".git")) || existsSync(path.join(folder, "HEAD")));
}

/**
 * Remembers what the history of a repository tells: changes that say why they were made, and what happened to each area
 * month by month. What is known already is told anew only where it changed, so whoever is interrupted goes on by doing it again.
 */
export async function importRepository(named: string, request: RepositoryRequest): Promise<ImportedRepository> {
  const folder = path.resolve(named);
  const nothing = { folder, commits: 0, episodes: emptyTally() };
  try {
    const projectId = request.project ?? projectOf(folder).id;
    const commits = await readHistory(folder, request.signal);
    const found = historyEpisodes(commits, projectId);
    if (request.dryRun) {
      const foreseen = found.map(({ levels, title = "" }) => levels?.compressed ?? title);
      return { ...nothing, commits: commits.length, foreseen };
    }
    const data = await request.open();
    const ports = await learningPorts(data, projectId);
    const { context } = await throughlineOf(data.store, projectId, openWorkspace(folder));
    await context.learnHistory({ signal: request.signal });
    return { folder, commits: commits.length, episodes: await tellAll(ports, found, request.signal) };
  } catch (error) {
    if (error instanceof InterruptedError || request.signal.aborted) throw error;
    return { ...nothing, problem: new InputError(named, error) };
  }
}

async function readHistory(folder: string, signal: AbortSignal): Promise<readonly Commit[]> {
  const found = await gitState(folder, signal);
  if (found.state === "refused")
    throw new UsageError(`Git does not read it: ${found.reason}`, "Look at it with git log.");
  const problem = PROBLEMS[found.state];
  if (problem !== undefined) throw new UsageError(problem, "Name the folder of a git repository.");
  const commits: Commit[] = [];
  for await (const commit of gitHistory(folder, { limit: MOST_COMMITS, signal })) commits.push(commit);
  return commits;
}

function historyEpisodes(
  commits: readonly Commit[],
  projectId: string,
): readonly (RememberInput & { readonly id: string })[] {
  const telling = commits.flatMap((commit) => commitEpisode(commit, { projectId }) ?? []);
  return [...telling.slice(-MOST_EPISODES), ...monthEpisodes(commits, { projectId }).slice(-MOST_EPISODES)];
}

async function tellAll(
  ports: RecordPorts,
  found: readonly (RememberInput & { readonly id: string })[],
  signal: AbortSignal,
): Promise<Tally> {
  const progress = new Progress("Remembering the history", found.length < BATCH ? 0 : found.length);
  const tally = emptyTally();
  const told = { ...(await readTold(ports, KIND)) };
  for (const [at, input] of found.entries()) {
    signal.throwIfAborted();
    const { outcome, digest } = await tellAnew(ports.memory, input, told[input.id]);
    tally[outcome] += 1;
    told[input.id] = digest;
    progress.advance(1);
    if ((at + 1) % BATCH === 0) await addTold(ports, KIND, told);
  }
  await addTold(ports, KIND, told);
  progress.end();
  return tally;
}
