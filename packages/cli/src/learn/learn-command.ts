import process from "node:process";
import type { Command } from "commander";
import type { ContextService } from "throughline/context";
import { refuseExcluded } from "../config/excluded-folders.ts";
import { projectFolder, projectOf } from "../config/project.ts";
import { type DataOptions, findData, withTarget } from "../data/open-data.ts";
import { interruptible } from "../terminal/interruption.ts";
import { dirOption, dryRunOption, jsonOption, projectOption } from "../terminal/options.ts";
import { printJson } from "../terminal/print-values.ts";
import { Progress } from "../terminal/progress.ts";
import { UsageError } from "../usage-error.ts";
import { askGit, WorkspaceError } from "../workspace/run-git.ts";
import { type LearnedProject, learnedJson, printLearned } from "./print-learned.ts";

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
  if (excess !== undefined) throw new UsageError(`Unexpected argument: ${excess}`, "Name the folder with --dir.");
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
  // Another checkout of the repository is the same place; another folder in it is not.
  const place = await folderInRepository(folder);
  const { openWorkspace } = await import("../workspace/workspace.ts");
  let progress: Progress | undefined;
  try {
    return await withTarget({ ...options, project, workspace: openWorkspace(folder) }, async (open) => {
      const { context } = (await open()).throughline;
      const learned = await context.learnPatterns({
        place,
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
