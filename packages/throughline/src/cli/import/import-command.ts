import { stat } from "node:fs/promises";
import process from "node:process";
import type { Command } from "commander";
import type { TranscriptFormat } from "../../transcript/transcript.ts";
import { type DataOptions, findData, withTarget } from "../data/open-data.ts";
import { EXIT } from "../exit-codes.ts";
import { interruptible } from "../interruption.ts";
import { dryRunOption, formatOption, jsonOption, modelOption, projectOption } from "../options.ts";
import { printJson } from "../print-json.ts";
import { Progress } from "../progress.ts";
import { reportError } from "../report-error.ts";
import { UsageError } from "../usage-error.ts";
import { type ImportedFile, importFile } from "./import-file.ts";
import { printImport } from "./print-import.ts";

interface ImportOptions extends DataOptions {
  readonly format?: TranscriptFormat;
  readonly model: string;
  readonly session?: string;
  readonly remember?: boolean;
  readonly memories?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export function addImportCommand(program: Command): void {
  program
    .command("import")
    .summary("keep the sessions of transcripts, or memories")
    .description(
      "keep the sessions of transcripts, or memories that `export` wrote; of what was imported before, what is new",
    )
    .argument("<file...>", "transcripts or exports; - reads standard input; .gz and .zst are unpacked")
    .addOption(formatOption())
    .addOption(modelOption())
    .option("-s, --session <id>", "for a transcript that gives its session no id; the file's name if not given")
    .option("-r, --remember", "also remember what was said in a transcript, and the facts in it")
    .option("--memories", "the file is a list of memories, such as one copied out of ChatGPT or Claude")
    .addOption(projectOption())
    .addOption(dryRunOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      "\nExamples:\n  throughline import ~/.claude/projects/*/*.jsonl --remember\n  throughline import memories.json\n  throughline import chatgpt-memories.txt --memories --dry-run",
    )
    .action((files: string[], _, command: Command) => importFiles(files, command.optsWithGlobals()));
}

async function importFiles(files: readonly string[], options: ImportOptions): Promise<void> {
  checkOptions(files, options);
  const results = await interruptible("What was added is kept; the same command goes on from there.", (signal) =>
    importAll(files, options, signal),
  );
  const data = findData(options).file;
  const { dryRun = false } = options;
  process.stdout.write(
    options.json ? printJson({ data, dryRun, files: results.map(forJson) }) : printImport(data, results, dryRun),
  );
  if (results.some(({ sessions }) => sessions.some(({ different }) => different.length > 0))) {
    process.exitCode = EXIT.failed;
  }
  if (results.some(({ problem }) => problem !== undefined)) process.exitCode = EXIT.badInput;
}

function checkOptions(files: readonly string[], options: ImportOptions): void {
  const { session, format, memories, remember, dryRun } = options;
  if (session !== undefined && files.length > 1) {
    throw new UsageError("--session names the session of one file.", "Import the files one by one.");
  }
  const stray = Object.entries({ "--session": session, "--format": format, "--remember": remember });
  const [ofTranscripts] = stray.find(([, value]) => value !== undefined) ?? [];
  if (memories && ofTranscripts !== undefined) {
    throw new UsageError(`${ofTranscripts} is for transcripts.`, "Leave it out, or leave --memories out.");
  }
  if (remember && dryRun) {
    throw new UsageError("What would be remembered is not known before.", "Leave --remember or --dry-run out.");
  }
}

async function importAll(
  files: readonly string[],
  options: ImportOptions,
  signal: AbortSignal,
): Promise<ImportedFile[]> {
  const { format, model: modelId, session, memories = false, remember = false, dryRun = false } = options;
  const progress = new Progress("Importing", await totalSize(files));
  const results: ImportedFile[] = [];
  await withTarget(options, async (open) => {
    const settings = { open, modelId, format, session, isMemories: memories, remembers: remember, dryRun };
    try {
      for (const file of files) {
        const result = await importFile(file, { ...settings, progress, signal });
        results.push(result);
        if (result.problem === undefined) continue;
        progress.end();
        reportError(result.problem);
      }
    } finally {
      progress.end();
    }
  });
  return results;
}

/** Below this everything is imported before anybody could wonder. */
const WORTH_SHOWING = 4 * 1024 * 1024;

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

function forJson({ problem, memories, remembered, ...result }: ImportedFile): object {
  return { ...result, memories: memories ?? null, remembered: remembered ?? null, problem: problem?.message ?? null };
}
