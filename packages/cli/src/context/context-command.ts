import path from "node:path";
import process from "node:process";
import type { Command } from "commander";
import type { ContextSignals } from "throughline";
import { omitUndefined, type Workspace } from "throughline/internal";
import { type DataOptions, withTarget } from "../data/open-data.ts";
import { interruptible } from "../interruption.ts";
import { jsonOption, projectOption, wholeNumber } from "../options.ts";
import { printJson } from "../print-json.ts";
import { projectOf } from "../project.ts";
import { projectFolder } from "../project-folder.ts";
import { printContext, type ShownContext } from "./print-context.ts";

interface ContextOptions extends DataOptions {
  readonly in?: string;
  readonly question?: string;
  readonly error?: string;
  readonly branch?: string;
  readonly activity?: string;
  readonly budget?: number;
  readonly why?: boolean;
  readonly json?: boolean;
}

const STOPPED = "Nothing was changed but what was read of the history.";

export function addContextCommand(program: Command): void {
  program
    .command("context")
    .summary("show what an agent is told now, and why")
    .description(
      "show what an agent is told of what is remembered while it works on a file, what that costs, and which files are " +
        "likely next",
    )
    .argument("[file]", "the file that is worked on")
    .option("-q, --question <text>", "what is asked for")
    .option("-e, --error <text>", "an error that has just come up")
    .option("--branch <name>", "the branch; the one that is checked out if not given")
    .option("--activity <name>", "default, new-feature or debugging")
    .option("-b, --budget <tokens>", "tokens at the most; 8,000 if not given", wholeNumber)
    .option("-w, --why", "say of each memory why it is there, and what found no room")
    .option("--in <dir>", "the project's folder, or one in it; this one if not given")
    .addOption(projectOption("a folder or a name (default: the repository or folder of --in)"))
    .addOption(jsonOption())
    .addHelpText(
      "after",
      '\nThe same is given to agents over `throughline mcp` and to programs that assemble a context.\nHere nothing is sent anywhere.\n\nExamples:\n  throughline context src/auth/login.ts --why\n  throughline context -q "Why do invoices round per line?" -b 2000',
    )
    .action((file: string | undefined, _, command: Command) => showContext(file, command.optsWithGlobals()));
}

async function showContext(file: string | undefined, options: ContextOptions): Promise<void> {
  const { id, root: folder } = projectOf(projectFolder(options.in ?? "."));
  const { project = id } = options;
  const { openWorkspace } = await import("../workspace/workspace.ts");
  const workspace = openWorkspace(folder);
  const shown = await interruptible(STOPPED, (signal) =>
    // Where nothing is kept yet, a project's history still tells which files are next; nothing is created for it.
    withTarget({ ...options, project, workspace, dryRun: true }, async (open): Promise<ShownContext> => {
      const { context } = (await open()).throughline;
      // What changed together tells which files are next; only what is new is read.
      await context.learnHistory({ signal });
      const signals = await signalsOf(file, folder, options, workspace);
      const { budget, question: message } = options;
      const assembled = await context.assemble(omitUndefined({ budget, message, signals }));
      const { currentFile: fileOpened, branch } = signals;
      const { files } = await context.predict(omitUndefined({ fileOpened, branch, error: options.error }));
      return { ...assembled, files };
    }),
  );
  process.stdout.write(options.json ? printJson({ project, ...shown }) : printContext(shown, options.why ?? false));
}

async function signalsOf(
  file: string | undefined,
  folder: string,
  { error, branch, activity }: ContextOptions,
  workspace: Workspace,
): Promise<ContextSignals> {
  return omitUndefined({
    currentFile: file === undefined ? undefined : pathIn(folder, file),
    branch: branch ?? (await workspace.branch()),
    activity,
    recentErrors: error === undefined ? undefined : [error],
  });
}

/** As the project names it. A path that begins in the project's folder and one that begins here mean the same mostly. */
function pathIn(folder: string, file: string): string {
  const fromHere = path.relative(folder, path.resolve(file));
  const isInside = fromHere !== "" && !fromHere.startsWith("..") && !path.isAbsolute(fromHere);
  return (isInside ? fromHere : file).split(path.sep).join("/");
}
