import process from "node:process";
import type { Command } from "commander";
import type { ContextService, LearnedPatterns } from "throughline/context";
import { refuseExcluded } from "../config/excluded-folders.ts";
import { projectFolder, projectOf } from "../config/project.ts";
import { type DataOptions, findData, withTarget } from "../data/open-data.ts";
import { interruptible } from "../terminal/interruption.ts";
import { dirOption, dryRunOption, jsonOption, projectOption } from "../terminal/options.ts";
import { count, number, printableLine, printJson } from "../terminal/print-values.ts";
import { Progress } from "../terminal/progress.ts";
import { UsageError } from "../usage-error.ts";
import { askGit, WorkspaceError } from "../workspace/run-git.ts";

interface LearnOptions extends DataOptions {
  readonly dir?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** Minimum files to show progress for. */
const WORTH_SHOWING = 100;
const STOPPED = "Everything read so far is stored; run the same command again to continue.";

export function addLearnCommand(program: Command): void {
  program
    .command("learn")
    .summary("Learn how a project writes its code")
    .description(
      "Learn the conventions of a project from its source code (endpoints, tests, errors, naming) and store them " +
        "as patterns. Repeat it to read only changed files.",
    )
    .addOption(dirOption("Project folder (default: the current one); files that git ignores are skipped"))
    .addOption(projectOption("Folder or project name to store the patterns under (default: the repository or folder)"))
    .addOption(dryRunOption())
    .addOption(jsonOption())
    .allowExcessArguments()
    .addHelpText(
      "after",
      "\nReads TypeScript, JavaScript, Python, Go, Rust and Java. Runs none of the code.\nList the result: throughline memories --kind pattern -p FOLDER\n\nExamples:\n  throughline learn\n  throughline learn --dir ~/shop --dry-run",
    )
    .action((_, command: Command) => learn(command.args, command.optsWithGlobals()));
}

async function learn([excess]: readonly string[], options: LearnOptions): Promise<void> {
  if (excess !== undefined) throw new UsageError(`Unexpected argument: ${excess}.`, "Select the folder with --dir.");
  const folder = projectFolder(options.dir ?? ".");
  refuseExcluded(folder);
  const learned = await interruptible(STOPPED, (signal) => learnFolder(folder, options, signal));
  const data = findData(options).file;
  process.stdout.write(options.json ? printJson({ data, ...learnedJson(learned) }) : printLearned(learned));
}

async function learnFolder(folder: string, options: LearnOptions, signal: AbortSignal): Promise<LearnedProject> {
  const { dryRun = false, project: named } = options;
  const { id, root } = projectOf(folder);
  const project = named ?? id;
  // Another checkout of the repository has the same patterns; another folder in it has its own.
  const subfolder = await folderInRepository(folder);
  const { openWorkspace } = await import("../workspace/workspace.ts");
  let progress: Progress | undefined;
  try {
    return await withTarget({ ...options, project, workspace: openWorkspace(folder) }, async (open) => {
      const { context } = (await open()).throughline;
      const learned = await context.learnPatterns({
        subfolder,
        dryRun,
        signal,
        onProgress: ({ total }) => {
          progress ??= new Progress("Learning", total < WORTH_SHOWING ? 0 : total);
          progress.advance(1);
        },
      });
      // Files that changed together are predicted together.
      const isWhole = named !== undefined || folder === root;
      const history = dryRun || !isWhole ? {} : await learnCommits(context, signal);
      return { folder, project, dryRun, ...learned, ...history };
    });
  } finally {
    progress?.end();
  }
}

/** Learns from the history. The patterns are stored by then, so a history that git cannot read is only a warning. */
async function learnCommits(
  context: ContextService,
  signal: AbortSignal,
): Promise<Pick<LearnedProject, "commits" | "warning">> {
  try {
    return { commits: (await context.learnHistory({ signal })).kept };
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    return { warning: error.message };
  }
}

/** The path of a folder in its repository, such as `packages/shop/`; "" for the root, or outside of a repository. */
async function folderInRepository(folder: string): Promise<string> {
  const { code, answer } = await askGit(folder, ["rev-parse", "--show-prefix"]);
  return code === 0 ? answer.trim() : "";
}

/** The patterns learned from a project. */
interface LearnedProject extends LearnedPatterns {
  readonly folder: string;
  readonly project: string;
  readonly dryRun: boolean;
  /** Number of commits read for predictions; `undefined` if none were read. */
  readonly commits?: number;
  /** Reason that the history could not be read. */
  readonly warning?: string;
}

const OUTCOMES = { added: "new", updated: "changed", unchanged: "known", left: "yours" } as const;

/** Prints how much was read, and each pattern with an example file. */
function printLearned(learned: LearnedProject): string {
  const { folder, project, dryRun, read, patterns, closed, commits = 0, warning } = learned;
  const lines = [
    `${count(read.files, "file")} of ${printableLine(folder)}: ${printRead(read)}.`,
    ...(commits === 0 ? [] : [`${count(commits, "commit")} read for files that change together.`]),
    ...(warning === undefined ? [] : [`Warning: ${printableLine(warning)}`]),
    ...(patterns.length === 0 ? ["No patterns found."] : []),
    ...patterns.flatMap(({ pattern, outcome }) => [
      `  ${OUTCOMES[outcome].padEnd(8)}${printableLine(pattern.hint)}`,
      `          ${printableLine(pattern.title)}, in ${number(pattern.support.files)} of ${count(pattern.support.of, "file")}; ${examplePlace(pattern)}`,
    ]),
    ...(closed.length === 0 ? [] : [`No longer followed: ${closed.map(({ key }) => printableLine(key)).join(", ")}`]),
    ...(dryRun ? ["Dry run, nothing was stored."] : patterns.length === 0 ? [] : [seen(project)]),
  ];
  return `${lines.join("\n")}\n`;
}

function printRead({ parsed, skipped, gone }: LearnedPatterns["read"]): string {
  const parts = [
    `${number(parsed)} new or changed`,
    ...(skipped > 0 ? [`${number(skipped)} skipped`] : []),
    ...(gone > 0 ? [`${number(gone)} deleted`] : []),
  ];
  return parts.join(", ");
}

function examplePlace({ examples: [first] }: LearnedPatterns["patterns"][number]["pattern"]): string {
  return first === undefined ? "" : printableLine(`${first.path}:${first.line}`);
}

function seen(project: string): string {
  return `List all: throughline memories --kind pattern -p ${printableLine(project)}`;
}

/** The JSON output. */
function learnedJson({ folder, project, dryRun, read, patterns, closed, commits, warning }: LearnedProject): object {
  return {
    dryRun,
    folder,
    project,
    files: read,
    patterns: patterns.map(({ pattern, memoryId, outcome }) => ({ ...pattern, memoryId, outcome })),
    closed,
    ...(commits !== undefined && { commits }),
    ...(warning !== undefined && { warning }),
  };
}
