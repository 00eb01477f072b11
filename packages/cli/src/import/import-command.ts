import { statSync } from "node:fs";
import { stat } from "node:fs/promises";
import process from "node:process";
import type { Command } from "commander";
import type { TranscriptFormat } from "throughline";
import { omitUndefined } from "throughline/internal";
import type { SessionMeta } from "throughline/transcript";
import { type DataOptions, findData, type OpenData, withTarget } from "../data/open-data.ts";
import { EXIT } from "../exit-codes.ts";
import { interruptible } from "../interruption.ts";
import { dryRunOption, each, formatOption, jsonOption, modelOption, projectOption } from "../options.ts";
import { printJson } from "../print-json.ts";
import { Progress } from "../progress.ts";
import { reportError } from "../report-error.ts";
import { UsageError } from "../usage-error.ts";
import { findTranscripts, type PassedOver } from "./find-transcripts.ts";
import { failedImport, type ImportedFile, type ImportRequest, importFile, importFound } from "./import-file.ts";
import { type ImportedRepository, importRepository, isRepository } from "./import-repository.ts";
import { type SpeechTally, sumSpeech } from "./ingest-messages.ts";
import { type LearnSession, type Learnt, learnFromSessions } from "./learn-from-sessions.ts";
import { type ForeseenLearning, LearningPreview } from "./learning-preview.ts";
import { type ImportedAll, printImport } from "./print-import.ts";
import { sessionProject } from "./session-project.ts";

interface ImportOptions extends DataOptions {
  readonly format?: TranscriptFormat;
  readonly model: string;
  readonly session?: string;
  readonly remember?: boolean;
  readonly memories?: boolean;
  readonly git?: readonly string[];
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export function addImportCommand(program: Command): void {
  program
    .command("import")
    .summary("keep the sessions of transcripts, git history, or memories")
    .description(
      "keep the sessions of transcripts, or memories that `export` wrote, or what a git history tells; of what was imported before, what is new",
    )
    .argument(
      "[file...]",
      "transcripts, folders of them, exports or git repositories; - is standard input; .gz and .zst are unpacked",
    )
    .addOption(formatOption())
    .addOption(modelOption())
    .option("-s, --session <id>", "for a transcript that gives its session no id; the file's name if not given")
    .option("-r, --remember", "also remember what was said in a transcript, the facts in it, episodes and workflows")
    .option("--git <folder>", "remember what the history of a repository tells", each)
    .option("--memories", "the file is a list of memories, such as one copied out of ChatGPT or Claude")
    .addOption(projectOption("a folder or a name for everything (default: the folder of each session)"))
    .addOption(dryRunOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      "\nWith --remember, everything learnt from a session belongs to the project of the folder\nit was held in, or to --project. `throughline memories -p FOLDER` lists it.\n\nExamples:\n  throughline import ~/.claude/projects --remember\n  throughline import --git .\n  throughline import memories.json\n  throughline import chatgpt-memories.txt --memories --dry-run",
    )
    .action((files: string[], _, command: Command) => importFiles(files, command.optsWithGlobals()));
}

async function importFiles(named: readonly string[], options: ImportOptions): Promise<void> {
  const repositories = [...(options.git ?? []), ...named.filter(isRepository)];
  const sources = await findSources(
    named.filter((file) => !repositories.includes(file)),
    options,
  );
  checkOptions(sources, repositories, options);
  const imported = await interruptible("What was added is kept; the same command goes on from there.", (signal) =>
    importAll(sources, repositories, options, signal),
  );
  const data = findData(options).file;
  const { dryRun = false } = options;
  process.stdout.write(
    options.json ? printJson({ data, dryRun, ...forJson(imported) }) : printImport(data, imported, dryRun),
  );
  if (imported.files.some(({ sessions }) => sessions.some(({ different }) => different.length > 0))) {
    process.exitCode = EXIT.failed;
  }
  if ([...imported.files, ...imported.repositories].some(({ problem }) => problem !== undefined)) {
    process.exitCode = EXIT.badInput;
  }
}

/** Files to import: those that were named, and those found in folders that were named. */
interface Sources {
  readonly files: readonly string[];
  /** Those of the files that were found in a folder. */
  readonly found: ReadonlySet<string>;
  /** Folders without a transcript. */
  readonly empty: readonly string[];
  readonly passedOver: readonly PassedOver[];
}

async function findSources(named: readonly string[], { memories }: ImportOptions): Promise<Sources> {
  const files: string[] = [];
  const found: string[] = [];
  const empty: string[] = [];
  const passedOver: PassedOver[] = [];
  for (const one of named) {
    if (memories || !statSync(one, { throwIfNoEntry: false })?.isDirectory()) files.push(one);
    else {
      const inside = await findTranscripts(one);
      if (inside.files.length === 0) empty.push(one);
      found.push(...inside.files);
      passedOver.push(...inside.passedOver);
    }
  }
  return { files: [...new Set([...files, ...found])], found: new Set(found), empty, passedOver };
}

function checkOptions({ files, empty }: Sources, repositories: readonly string[], options: ImportOptions): void {
  const { session, format, memories, remember } = options;
  if (files.length + empty.length + repositories.length === 0) {
    throw new UsageError("There is nothing to import.", "Name transcripts, exports, or a repository with --git.");
  }
  if (session !== undefined && files.length > 1) {
    throw new UsageError("--session names the session of one file.", "Import the files one by one.");
  }
  const stray = Object.entries({ "--session": session, "--format": format, "--remember": remember });
  const [ofTranscripts] = stray.find(([, value]) => value !== undefined) ?? [];
  if (memories && ofTranscripts !== undefined) {
    throw new UsageError(`${ofTranscripts} is for transcripts.`, "Leave it out, or leave --memories out.");
  }
}

async function importAll(
  sources: Sources,
  repositories: readonly string[],
  options: ImportOptions,
  signal: AbortSignal,
): Promise<ImportedAll> {
  const { format, model: modelId, session, memories = false, remember = false, dryRun = false, project } = options;
  const metas = new Map<string, SessionMeta>();
  const preview = remember && dryRun ? new LearningPreview() : undefined;
  return withTarget(options, async (open) => {
    const settings = {
      open,
      modelId,
      format,
      session,
      project,
      isMemories: memories,
      dryRun,
      metas,
      preview,
    };
    const { results, passedOver } = await importEach(sources, settings, signal);
    const kept = remember && !dryRun ? sessionsOf(results, metas, project) : [];
    const learnt = kept.length === 0 ? undefined : await learn(await open(), kept, signal);
    const told: ImportedRepository[] = [];
    for (const folder of repositories) told.push(await importRepository(folder, { open, project, dryRun, signal }));
    for (const { problem } of told) if (problem !== undefined) reportError(problem);
    return {
      files: results,
      passedOver,
      repositories: told,
      ...omitUndefined({ learnt, foreseen: preview?.result(project) }),
    };
  });
}

async function importEach(
  sources: Sources,
  settings: Omit<ImportRequest, "progress" | "signal">,
  signal: AbortSignal,
): Promise<{ readonly results: readonly ImportedFile[]; readonly passedOver: readonly PassedOver[] }> {
  const progress = new Progress("Importing", await totalSize(sources.files));
  const results = sources.empty.map((folder) => failedImport(folder, NO_TRANSCRIPT));
  const passedOver = [...sources.passedOver];
  for (const { problem } of results) reportError(problem);
  try {
    for (const file of sources.files) {
      const importOne = sources.found.has(file) ? importFound : importFile;
      const result = await importOne(file, { ...settings, progress, signal });
      if ("reason" in result) {
        passedOver.push(result);
        continue;
      }
      results.push(result);
      if (result.problem === undefined) continue;
      progress.end();
      reportError(result.problem);
    }
  } finally {
    progress.end();
  }
  return { results, passedOver };
}

/** The sessions that something of is kept, each once. */
function sessionsOf(
  results: readonly ImportedFile[],
  metas: ReadonlyMap<string, SessionMeta>,
  project: string | undefined,
): readonly LearnSession[] {
  const ids = results.flatMap(({ sessions }) =>
    sessions.filter(({ isAnother, added, known }) => !isAnother && added + known > 0).map(({ id }) => id),
  );
  return [...new Set(ids)].map((id) => {
    const meta = metas.get(id) ?? {};
    return { id, meta, project: project ?? sessionProject(meta, metas) };
  });
}

async function learn(data: OpenData, sessions: readonly LearnSession[], signal: AbortSignal): Promise<Learnt> {
  const progress = new Progress("Learning", sessions.length < SESSIONS_WORTH_SHOWING ? 0 : sessions.length);
  try {
    return await learnFromSessions(data, sessions, { progress, signal });
  } finally {
    progress.end();
  }
}

const NO_TRANSCRIPT = new UsageError(
  "No transcripts found in this folder.",
  "Give a transcript file, or a folder that contains some.",
);

/** Below this everything is imported before anybody could wonder. */
const WORTH_SHOWING = 4 * 1024 * 1024;
const SESSIONS_WORTH_SHOWING = 10;

/** In bytes; 0 where it is not known or too small to speak of. */
async function totalSize(files: readonly string[]): Promise<number> {
  if (files.includes("-")) return 0;
  // What is wrong with a file is said when it is read.
  const sizes = await Promise.all(
    files.map((file) =>
      stat(file)
        .then(({ size }) => size)
        .catch(() => 0),
    ),
  );
  const total = sizes.reduce((sum, size) => sum + size, 0);
  return total < WORTH_SHOWING ? 0 : total;
}

function forJson({ files, passedOver, repositories, learnt, foreseen }: ImportedAll): object {
  return {
    files: files.map(({ problem, memories, ...result }) => ({
      ...result,
      memories: memories ?? null,
      remembered: learnt === undefined || memories !== undefined ? null : speechIn(result, learnt.speech),
      problem: problem?.message ?? null,
    })),
    passedOver,
    repositories: repositories.map(({ problem, ...result }) => ({ ...result, problem: problem?.message ?? null })),
    learnt: learntForJson(learnt ?? foreseen),
  };
}

function learntForJson(learnt: Learnt | ForeseenLearning | undefined): object | null {
  if (learnt === undefined) return null;
  const projects = learnt.projects.map(({ project = null, ...counts }) => ({ project, ...counts }));
  return { ...learnt, speech: undefined, projects };
}

/** What was remembered of what is said in a file. */
function speechIn({ sessions }: Pick<ImportedFile, "sessions">, speech: Learnt["speech"]): SpeechTally {
  return sumSpeech(sessions.flatMap(({ id }) => speech.get(id) ?? []));
}
