import process from "node:process";
import type { Command } from "commander";
import { type DataOptions, findData, withTarget } from "../data/open-data.ts";
import { interruptible } from "../interruption.ts";
import { dryRunOption, jsonOption, projectOption } from "../options.ts";
import { printJson } from "../print-json.ts";
import { Progress } from "../progress.ts";
import { projectFolder, projectOf } from "../project.ts";
import { askGit } from "../workspace/git/run-git.ts";
import { type LearntProject, learntJson, printLearnt } from "./print-learnt.ts";

interface LearnOptions extends DataOptions {
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
    .argument("<dir>", "Project folder; files that git ignores are skipped")
    .addOption(projectOption("Folder or project name to store the patterns under (default: the repository or folder)"))
    .addOption(dryRunOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      "\nReads TypeScript, JavaScript, Python, Go, Rust and Java. Runs no code of the project.\nList the result: throughline memories --kind pattern -p FOLDER\n\nExamples:\n  throughline learn .\n  throughline learn ~/shop --dry-run",
    )
    .action((dir: string, _, command: Command) => learn(dir, command.optsWithGlobals()));
}

async function learn(dir: string, options: LearnOptions): Promise<void> {
  const folder = projectFolder(dir);
  const learnt = await interruptible(STOPPED, (signal) => learnFolder(folder, options, signal));
  const data = findData(options).file;
  process.stdout.write(options.json ? printJson({ data, ...learntJson(learnt) }) : printLearnt(learnt));
}

async function learnFolder(folder: string, options: LearnOptions, signal: AbortSignal): Promise<LearntProject> {
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
      const learnt = await context.learnPatterns({
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
      const commits = dryRun || !isWhole ? undefined : (await context.learnHistory({ signal })).kept;
      return { folder, project, dryRun, ...learnt, ...(commits !== undefined && { commits }) };
    });
  } finally {
    progress?.end();
  }
}

/** The path of a folder in its repository, such as `packages/shop/`; "" for the root, or outside of a repository. */
async function folderInRepository(folder: string): Promise<string> {
  const { code, answer } = await askGit(folder, ["rev-parse", "--show-prefix"]);
  return code === 0 ? answer.trim() : "";
}
