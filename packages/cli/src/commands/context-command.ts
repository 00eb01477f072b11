import { existsSync } from "node:fs";
import path, { type PlatformPath } from "node:path";
import { styleText } from "node:util";
import type { Command } from "commander";
import type { AssembledContext, ContextSignals, MemoryService } from "throughline";
import type { ContextItem, ContextMiss, ContextReceipt, PredictedFile } from "throughline/context";
import type { Workspace } from "throughline/internal/engine";
import { omitUndefined } from "throughline/internal/util";
import { isProjectPath, projectFolder, projectOf } from "../config/project.ts";
import { type CommandOptions, withTarget } from "../data/open-data.ts";
import { memoryLine } from "../data/stored-memory.ts";
import { interruptible } from "../terminal/interruption.ts";
import { dirOption, jsonOption, projectOption, refuseRenamed, wholeNumber } from "../terminal/options.ts";
import { count, number, printable, printableLine, printResult } from "../terminal/print-values.ts";
import { allowedWorkspace } from "../workspace/allowed-workspace.ts";

interface ContextOptions extends CommandOptions {
  readonly dir?: string;
  readonly question?: string;
  readonly error?: string;
  readonly branch?: string;
  readonly activity?: string;
  readonly budget?: number;
  readonly why?: boolean;
}

const STOPPED = "Only the git history was read and stored.";

export function addContextCommand(program: Command): void {
  refuseRenamed(program.command("context"), { "--in <folder>": "--dir" })
    .summary("Show the context an agent gets, and why")
    .description(
      "Show the context that an agent gets while it works on a file: the memories, their cost in tokens, " +
        "and the files that are likely to be needed next.",
    )
    .argument("[file]", "File you are working on")
    .option("-q, --question <text>", "Question or task")
    .option("-e, --error <text>", "Error message that just occurred")
    .option("--branch <name>", "Git branch (default: the current one)")
    .option("--activity <name>", "Activity: default, new-feature or debugging")
    .option("-b, --budget <tokens>", "Maximum tokens (default 8000)", wholeNumber)
    .option("-w, --why", "Print why each memory is included, and why others are left out")
    .addOption(dirOption("Project folder, or a folder inside it (default: the current one)"))
    .addOption(projectOption("Folder or project name (default: the repository or folder of --dir)"))
    .addOption(jsonOption())
    .addHelpText(
      "after",
      '\nAgents get the same context from `throughline mcp`. Nothing is sent anywhere.\n\nExamples:\n  throughline context src/auth/login.ts --why\n  throughline context -q "Why do invoices round per line?" -b 2000',
    )
    .action((file: string | undefined, _, command: Command) => showContext(file, command.optsWithGlobals()));
}

async function showContext(file: string | undefined, options: ContextOptions): Promise<void> {
  const { project, folder } = placeOf(options);
  // The memories of a deleted folder are still there.
  const workspace = existsSync(folder) ? await allowedWorkspace(folder) : undefined;
  const shown = await interruptible(STOPPED, (signal) =>
    // Without stored data, the project's history still predicts files; nothing is created.
    withTarget(
      { ...options, project, ...omitUndefined({ workspace }), dryRun: true },
      async (open): Promise<ShownContext> => {
        const { context, memory } = (await open()).throughline;
        // Reads only new commits, to predict files that change together.
        await context.learnHistory({ signal });
        const signals = await signalsOf(file, folder, options, workspace);
        const { budget, question: message } = options;
        const assembled = await context.assemble(omitUndefined({ budget, message, signals }));
        const { currentFile: fileOpened, branch } = signals;
        const { files } = await context.predict(omitUndefined({ fileOpened, branch, error: options.error }));
        const titles = options.why ? await titlesOf(memory, assembled.receipt) : new Map();
        return { ...assembled, files, titles };
      },
    ),
  );
  const { titles: _, ...plain } = shown;
  printResult(options, { project, ...plain }, () => printContext(shown, options.why ?? false));
}

/** The project and the folder with its files: another project that is named by its path has files of its own. */
function placeOf({ dir, project, projectRoot }: ContextOptions): { readonly project: string; readonly folder: string } {
  const { id, root } = projectOf(projectFolder(dir ?? "."));
  if (project === undefined || project === id) return { project: id, folder: root };
  return { project, folder: isProjectPath(project) && dir === undefined ? (projectRoot ?? project) : root };
}

/** Titles of the memories in a receipt, by id. */
async function titlesOf(memory: MemoryService, { items, nearMisses }: ContextReceipt): Promise<Map<string, string>> {
  const ids = [...items, ...nearMisses.slice(0, MAX_MISSES)].map(({ id }) => id);
  const found = await memory.get([...new Set(ids)]);
  return new Map(found.map((one) => [one.id, memoryLine(one)]));
}

async function signalsOf(
  file: string | undefined,
  folder: string,
  { error, branch, activity }: ContextOptions,
  workspace: Workspace | undefined,
): Promise<ContextSignals> {
  return omitUndefined({
    currentFile: file === undefined ? undefined : pathIn(folder, file),
    branch: branch ?? (await workspace?.branch()),
    activity,
    recentErrors: error === undefined ? undefined : [error],
  });
}

/**
 * The path relative to the project, with `/`. Paths relative to the current folder and to the project folder are both
 * accepted.
 *
 * @param paths the path functions of a platform (default: this one)
 */
export function pathIn(folder: string, file: string, paths: PlatformPath = path): string {
  const fromHere = paths.relative(folder, paths.resolve(file));
  const isInside = fromHere !== "" && !/^\.\.(?:[\\/]|$)/.test(fromHere) && !paths.isAbsolute(fromHere);
  return (isInside ? fromHere : file).split(paths.sep).join("/");
}

/** The assembled context and the predicted files. */
interface ShownContext extends AssembledContext {
  readonly files: readonly PredictedFile[];
  readonly titles: ReadonlyMap<string, string>;
}

const MAX_MISSES = 10;

/** Prints the context block, its cost, and with `why` the reason for each memory. */
function printContext({ context, tokenCount, tiers, receipt, files, titles }: ShownContext, why: boolean): string {
  const { tier1, tier2, tier3, tier4 } = tiers;
  const parts = `critical ${number(tier1)}, relevant ${number(tier2)}, background ${number(tier3)}, index ${number(tier4)}`;
  const cost = `${number(tokenCount)} of ${number(receipt.budget)} tokens: ${parts}.`;
  const sections = [
    context === "" ? [sayNothing(receipt)] : [printable(context), "", cost],
    files.length === 0 ? [] : ["Likely next:", ...files.map(printFile)],
    why && receipt.items.length > 0
      ? ["Why each memory is included:", ...receipt.items.map((item) => printItem(item, titles))]
      : [],
    why ? printMisses(receipt.nearMisses, titles) : [],
    receipt.notes.map((note) => printableLine(note)),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

function sayNothing({ nearMisses, budget }: ContextReceipt): string {
  return nearMisses.length === 0
    ? "No memory is relevant here."
    : `No relevant memory fits into ${count(budget, "token")}; raise --budget.`;
}

function printFile({ path, confidence, reasons }: PredictedFile): string {
  const likely = `${Math.round(100 * confidence)}%`.padStart(5);
  return `${likely}  ${printableLine(path)}  ${styleText("dim", reasons.map((reason) => printableLine(reason)).join("; "))}`;
}

/** Title, then tier, rule, level, size, cause of a miss, id and reasons. */
function printItem(
  { id, tier, level, rule, tokens, reasons }: ContextItem,
  titles: ReadonlyMap<string, string>,
  cause: readonly string[] = [],
): string {
  const title = titles.get(id);
  const place = [tier, rule, level, `${number(tokens)} tokens`, ...cause].join(" · ");
  const why = reasons.map((reason) => printableLine(reason)).join("; ");
  const details = `${printableLine(id)}  ${place}${why === "" ? "" : `  ${styleText("dim", why)}`}`;
  return title === undefined ? `  ${details}` : `  ${title}\n      ${details}`;
}

function causeOf({ cause, repeats = "" }: ContextMiss): string {
  if (cause === "repeated") return `has the words of ${printableLine(repeats)}`;
  return cause === "no-room" ? "did not fit" : "its section is full";
}

function printMisses(misses: readonly ContextMiss[], titles: ReadonlyMap<string, string>): readonly string[] {
  return misses.length === 0
    ? []
    : ["Left out:", ...misses.slice(0, MAX_MISSES).map((miss) => printItem(miss, titles, [causeOf(miss)]))];
}
