import { statSync } from "node:fs";
import { stat } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import type { Command } from "commander";
import type { TranscriptFormat } from "throughline";
import { type RecordedImport, recordImport } from "throughline/internal/engine";
import { omitUndefined, SYSTEM_CLOCK } from "throughline/internal/util";
import type { SessionMeta } from "throughline/transcript";
import { excludedFolders } from "../config/excluded-folders.ts";
import { modelUse } from "../data/inference.ts";
import {
  type CommandOptions,
  findData,
  LOCAL_USER,
  type OpenData,
  throughlineOf,
  withTarget,
} from "../data/open-data.ts";
import { reportError } from "../program/report-error.ts";
import { interruptible } from "../terminal/interruption.ts";
import {
  dryRunOption,
  each,
  formatOption,
  jsonOption,
  modelOption,
  projectOption,
  wholeNumber,
  withoutModelOption,
} from "../terminal/options.ts";
import { printJson, printResult } from "../terminal/print-values.ts";
import { Progress } from "../terminal/progress.ts";
import { EXIT, UsageError } from "../usage-error.ts";
import type { HistoryAgent } from "./find-histories.ts";
import type { HistorySurvey } from "./history-survey.ts";
import {
  failedImport,
  findTranscripts,
  type ImportedFile,
  type ImportRequest,
  importFile,
  importFound,
  type SkippedFile,
} from "./import-file.ts";
import { importHistories, namedAgents } from "./import-histories.ts";
import { type ImportedRepository, importRepository, isRepository } from "./import-repository.ts";
import { sessionProjects } from "./import-transcript.ts";
import { type IngestCounts, sumIngestCounts } from "./ingest-messages.ts";
import {
  type ForeseenLearning,
  type Learned,
  LearningPreview,
  type LearnSession,
  learnFromSessions,
} from "./learn-from-sessions.ts";
import { type ImportedAll, printImport, printLeftOut } from "./print-import.ts";
import { printReport } from "./print-report.ts";

interface ImportOptions extends CommandOptions {
  readonly format?: TranscriptFormat;
  readonly model: string;
  readonly session?: string;
  readonly remember?: boolean;
  readonly memories?: boolean;
  readonly git?: readonly string[];
  readonly keepSecrets?: boolean;
}

export function addImportCommand(program: Command): void {
  program
    .command("import")
    .summary("Import transcripts, memories or git history")
    .description(
      "Import sessions from transcripts, memories from an export, or episodes from a git history. Repeat the command to import only new items. Without arguments, it finds the histories of coding agents on this machine, shows them, and asks.",
    )
    .argument(
      "[file...]",
      "Coding agents (claude-code, codex, opencode, gemini-cli, cline, all), transcripts, folders of them, exports or git repositories; - reads standard input; .gz and .zst work",
    )
    .addOption(formatOption())
    .addOption(modelOption())
    .option("-s, --session <id>", "Session id if the transcript has none (default: the file name)")
    .option("-r, --remember", "Also store memories: utterances, facts, episodes and workflows")
    .addOption(withoutModelOption())
    .option(
      "--max-model-calls <number>",
      "Maximum requests to the configured model with --remember (default 1000); rules read the rest",
      wholeNumber,
    )
    .option("--git <folder>", "Import the history of a git repository", each)
    .option("--memories", "Treat the file as a list of memories, for example copied from ChatGPT or Claude")
    .option("-y, --yes", "Import the histories of coding agents without confirmation")
    .option("--keep-secrets", "Store passwords and keys as they are (default: redacted)")
    .addOption(projectOption("Folder or project name for everything (default: the folder of each session)"))
    .addOption(dryRunOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      "\nWith --remember, memories belong to the project of their session's folder, or\nto --project. `throughline memories -p FOLDER` lists them. If\nTHROUGHLINE_MODEL_URL is set, that model extracts the facts; if it fails, rules\ndo. Histories of coding agents are always imported with memories.\n\nExamples:\n  throughline import\n  throughline import codex --yes\n  throughline import ~/.claude/projects --remember\n  throughline import --git .\n  throughline import memories.json\n  throughline import chatgpt-memories.txt --memories --dry-run",
    )
    .action((files: string[], _, command: Command) => importFiles(files, command.optsWithGlobals()));
}

async function importFiles(named: readonly string[], options: ImportOptions): Promise<void> {
  const isAnotherKind = (options.git ?? options.memories ?? options.session ?? options.format) !== undefined;
  const agents = isAnotherKind ? undefined : namedAgents(named);
  if (agents !== undefined) return importAgents(agents, options);
  const repositories = [...(options.git ?? []), ...named.filter(isRepository)];
  const sources = await findSources(
    named.filter((file) => !repositories.includes(file)),
    options,
  );
  checkOptions(sources, repositories, options);
  const imported = await interruptible(
    "Everything imported so far is stored; run the same command again to continue.",
    (signal) => importAll(named, sources, repositories, options, signal),
  );
  printResult(options, forJson(imported, options), () => describe(imported, options));
  if (imported.files.some(({ sessions }) => sessions.some(({ different }) => different.length > 0))) {
    process.exitCode = EXIT.failed;
  }
  failWithProblems(imported);
}

/** Imports the histories of agents, and prints a report. */
async function importAgents(agents: readonly HistoryAgent[], options: ImportOptions): Promise<void> {
  const done = await importHistories(agents, options, (files, folders, { survey, metas, signal }) => {
    const sources = { files, found: new Set(files), empty: [], skippedFiles: [] };
    return importAll(folders, sources, [], { ...options, remember: true }, signal, { survey, metas });
  });
  if (done === undefined) return;
  const { imported, report, next, histories } = done;
  if (options.json) {
    const found = histories.map(({ files, ...history }) => ({ ...history, files: files.length }));
    process.stdout.write(printJson({ found, ...forJson(imported, options), report: report ?? null }));
  } else
    process.stdout.write(
      report === undefined ? describe(imported, options) : `\n${printReport(report, next, printLeftOut(imported))}`,
    );
  failWithProblems(imported);
}

function describe(imported: ImportedAll, options: ImportOptions): string {
  return printImport(findData(options).file, imported, options.dryRun ?? false);
}

function failWithProblems({ files, repositories }: ImportedAll): void {
  if ([...files, ...repositories].some(({ problem }) => problem !== undefined)) process.exitCode = EXIT.badInput;
}

/** Files to import: named ones, and those found in named folders. */
interface Sources {
  readonly files: readonly string[];
  /** Files that were found in a folder. */
  readonly found: ReadonlySet<string>;
  /** Folders without a transcript. */
  readonly empty: readonly string[];
  readonly skippedFiles: readonly SkippedFile[];
}

async function findSources(named: readonly string[], { memories }: ImportOptions): Promise<Sources> {
  const files: string[] = [];
  const found: string[] = [];
  const empty: string[] = [];
  const skippedFiles: SkippedFile[] = [];
  for (const one of named) {
    if (memories || !statSync(one, { throwIfNoEntry: false })?.isDirectory()) files.push(one);
    else {
      const inside = await findTranscripts(one);
      if (inside.files.length === 0) empty.push(one);
      found.push(...inside.files);
      skippedFiles.push(...inside.skippedFiles);
    }
  }
  return { files: [...new Set([...files, ...found])], found: new Set(found), empty, skippedFiles };
}

function checkOptions({ files, empty }: Sources, repositories: readonly string[], options: ImportOptions): void {
  const { session, format, memories, remember } = options;
  if (files.length + empty.length + repositories.length === 0) {
    throw new UsageError(
      "Nothing to import: no file, folder or repository given.",
      "Give transcripts or exports, or a repository with --git.",
    );
  }
  if (session !== undefined && files.length > 1) {
    throw new UsageError("--session applies to a single file, and several are given.", "Import the files one by one.");
  }
  const stray = Object.entries({ "--session": session, "--format": format, "--remember": remember });
  const [ofTranscripts] = stray.find(([, value]) => value !== undefined) ?? [];
  if (memories && ofTranscripts !== undefined) {
    throw new UsageError(
      `${ofTranscripts} applies to transcripts and cannot be used with --memories.`,
      "Remove one of the two options.",
    );
  }
}

async function importAll(
  named: readonly string[],
  sources: Sources,
  repositories: readonly string[],
  options: ImportOptions,
  signal: AbortSignal,
  notes: { readonly survey?: HistorySurvey; readonly metas?: Map<string, SessionMeta> } = {},
): Promise<ImportedAll> {
  const { survey, metas = new Map<string, SessionMeta>() } = notes;
  const { format, model: modelId, session, memories = false, remember = false, dryRun = false, project } = options;
  const preview = remember && dryRun ? new LearningPreview() : undefined;
  const sourceNames = [...named, ...repositories].map((one) => (one === "-" ? one : path.resolve(one)));
  const target = { maxModelCalls: MAX_MODEL_CALLS, ...options, showsModelCalls: true };
  return withRecordedTarget(target, sourceNames, async (open) => {
    const settings = {
      open,
      modelId,
      format,
      session,
      project,
      isMemories: memories,
      keepSecrets: options.keepSecrets ?? false,
      isExcluded: excludedFolders(),
      dryRun,
      metas,
      preview,
      survey,
    };
    const { results, skippedFiles } = await importEach(sources, settings, signal);
    const kept = remember && !dryRun ? sessionsOf(results, metas, project) : [];
    const learned = kept.length === 0 ? undefined : await learn(await open(), kept, signal);
    const model = learned === undefined ? undefined : modelUse((await open()).inference);
    const imported: ImportedRepository[] = [];
    for (const folder of repositories) imported.push(await importRepository(folder, { open, project, dryRun, signal }));
    for (const { problem } of imported) if (problem !== undefined) reportError(problem);
    return {
      files: results,
      skippedFiles,
      repositories: imported,
      ...omitUndefined({ learned, model, foreseen: preview?.result(project, sessionProjects(metas)) }),
    };
  });
}

async function importEach(
  sources: Sources,
  settings: Omit<ImportRequest, "progress" | "signal">,
  signal: AbortSignal,
): Promise<{ readonly results: readonly ImportedFile[]; readonly skippedFiles: readonly SkippedFile[] }> {
  const note = () => settings.survey?.note ?? "";
  const progress = new Progress("Importing", await totalSize(sources.files), process.stderr, note);
  const results = sources.empty.map((folder) => failedImport(folder, NO_TRANSCRIPT));
  const skippedFiles = [...sources.skippedFiles];
  for (const { problem } of results) reportError(problem);
  try {
    for (const file of sources.files) {
      const importOne = sources.found.has(file) ? importFound : importFile;
      const result = await importOne(file, { ...settings, progress, signal });
      if ("reason" in result) {
        skippedFiles.push(result);
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
  return { results, skippedFiles };
}

/** The imported sessions, each once. */
function sessionsOf(
  results: readonly ImportedFile[],
  metas: ReadonlyMap<string, SessionMeta>,
  project: string | undefined,
): readonly LearnSession[] {
  const ids = results.flatMap(({ sessions }) =>
    sessions.filter(({ isAnother, added, known }) => !isAnother && added + known > 0).map(({ id }) => id),
  );
  const projectFor = sessionProjects(metas);
  return [...new Set(ids)].map((id) => {
    const meta = metas.get(id) ?? {};
    return { id, meta, project: project ?? projectFor(meta) };
  });
}

async function learn(data: OpenData, sessions: readonly LearnSession[], signal: AbortSignal): Promise<Learned> {
  const progress = new Progress("Learning", sessions.length < SESSIONS_WORTH_SHOWING ? 0 : sessions.length);
  try {
    return await learnFromSessions(data, sessions, { progress, signal });
  } finally {
    progress.end();
  }
}

/** Default for `--max-model-calls`. */
const MAX_MODEL_CALLS = 1_000;

const NO_TRANSCRIPT = new UsageError(
  "No transcripts found in this folder.",
  "Give a transcript file, or a folder that contains transcripts.",
);

/** Minimum bytes to show progress for. */
const WORTH_SHOWING = 4 * 1024 * 1024;
const SESSIONS_WORTH_SHOWING = 10;

/** Total bytes; 0 if unknown or too small for progress. */
async function totalSize(files: readonly string[]): Promise<number> {
  if (files.includes("-")) return 0;
  // Errors are reported when the file is read.
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

function forJson(imported: ImportedAll, options: ImportOptions): object {
  const { files, skippedFiles, repositories, learned, model, foreseen, importId } = imported;
  return {
    data: findData(options).file,
    dryRun: options.dryRun ?? false,
    importId: importId ?? null,
    files: files.map(({ problem, memories, ...result }) => ({
      ...result,
      memories: memories ?? null,
      remembered: learned === undefined || memories !== undefined ? null : speechIn(result, learned.speech),
      problem: problem?.message ?? null,
    })),
    skippedFiles,
    repositories: repositories.map(({ problem, ...result }) => ({ ...result, problem: problem?.message ?? null })),
    learned: learnedForJson(learned ?? foreseen),
    model: model ?? null,
  };
}

function learnedForJson(learned: Learned | ForeseenLearning | undefined): object | null {
  if (learned === undefined) return null;
  const projects = learned.projects.map(({ project = null, ...counts }) => ({ project, ...counts }));
  return { ...learned, speech: undefined, projects };
}

/** Counts of the stored utterances of a file. */
function speechIn({ sessions }: Pick<ImportedFile, "sessions">, speech: Learned["speech"]): IngestCounts {
  return sumIngestCounts(sessions.flatMap(({ id }) => speech.get(id) ?? []));
}

/**
 * Runs an import so that it can be undone as a whole: everything it writes is recorded, also if it is interrupted.
 *
 * @param sources Files, folders and repositories that are imported
 * @returns the result, with the id of the import if it wrote anything
 */
export async function withRecordedTarget<T extends object>(
  options: CommandOptions,
  sources: readonly string[],
  work: (open: () => Promise<OpenData>) => Promise<T>,
): Promise<T & { readonly importId?: string }> {
  return withTarget(options, async (open) => {
    let recorded: RecordedImport<OpenData["store"]> | undefined;
    let opened: Promise<OpenData> | undefined;
    const openRecorded = async (): Promise<OpenData> => {
      const { store, inference } = await open();
      recorded = recordImport(store, { userId: LOCAL_USER, clock: SYSTEM_CLOCK, sources });
      const data = { store: recorded.store, inference };
      return { ...data, throughline: await throughlineOf(data, options.project) };
    };
    if (options.dryRun) return work(open);
    const openOnce = () => {
      opened ??= openRecorded();
      return opened;
    };
    const save = async () => ((await recorded?.save()) ? recorded?.id : undefined);
    const result = await work(openOnce).catch(async (error: unknown) => {
      const id = await save();
      if (id !== undefined) process.stderr.write(`Undo what was imported: \`throughline undo ${id}\`\n`);
      throw error;
    });
    return { ...result, ...omitUndefined({ importId: await save() }) };
  });
}
