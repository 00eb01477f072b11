import process from "node:process";
import type { Command } from "commander";
import { type DataOptions, findData, withTarget } from "../data/open-data.ts";
import { interruptible } from "../interruption.ts";
import { dryRunOption, jsonOption, projectOption } from "../options.ts";
import { printJson } from "../print-json.ts";
import { Progress } from "../progress.ts";
import { projectOf } from "../project.ts";
import { projectFolder } from "../project-folder.ts";
import { folderInRepository } from "./folder-in-repository.ts";
import { type LearntProject, learntJson, printLearnt } from "./print-learnt.ts";

interface LearnOptions extends DataOptions {
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** Fewer files are read before anybody could wonder. */
const WORTH_SHOWING = 100;
const STOPPED = "What was read is kept; the same command goes on from there.";

export function addLearnCommand(program: Command): void {
  program
    .command("learn")
    .summary("learn how a project writes its code")
    .description(
      "learn from the sources of a project how its code is written (endpoints, tests, errors, its own conventions), and " +
        "remember it as patterns; of what was learnt before, what has changed",
    )
    .argument("<dir>", "the project's folder; what git ignores is left out")
    .addOption(projectOption("a folder or a name to store it under (default: the repository or folder itself)"))
    .addOption(dryRunOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      "\nTypeScript, JavaScript, Python, Go, Rust and Java are read, and nothing of them is run.\nWhat was learnt: throughline memories --kind pattern -p FOLDER\n\nExamples:\n  throughline learn .\n  throughline learn ~/shop --dry-run",
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
  // Another checkout of the same repository is the same place; another part of it is not.
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
      // What changed together tells what will be needed together.
      const isWhole = named !== undefined || folder === root;
      const commits = dryRun || !isWhole ? undefined : (await context.learnHistory({ signal })).kept;
      return { folder, project, dryRun, ...learnt, ...(commits !== undefined && { commits }) };
    });
  } finally {
    progress?.end();
  }
}
