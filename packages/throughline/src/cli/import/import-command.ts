import { stat } from "node:fs/promises";
import process from "node:process";
import type { Command } from "commander";
import type { TranscriptFormat } from "../../transcript/transcript.ts";
import { type DataOptions, findData, withNewData } from "../data/open-data.ts";
import { EXIT } from "../exit-codes.ts";
import { interruptible } from "../interruption.ts";
import { formatOption, jsonOption, modelOption } from "../options.ts";
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
  readonly json?: boolean;
}

export function addImportCommand(program: Command): void {
  program
    .command("import")
    .summary("keep the sessions of transcripts")
    .description("keep the sessions of transcripts; of one that was imported before, what is new")
    .argument("<file...>", "transcripts; - reads standard input; .gz and .zst are unpacked")
    .addOption(formatOption())
    .addOption(modelOption())
    .option("-s, --session <id>", "for a transcript that gives its session no id; the file's name if not given")
    .addOption(jsonOption())
    .addHelpText("after", "\nExample:\n  throughline import ~/.claude/projects/*/*.jsonl")
    .action((files: string[], _, command: Command) => importFiles(files, command.optsWithGlobals()));
}

async function importFiles(files: readonly string[], options: ImportOptions): Promise<void> {
  if (options.session !== undefined && files.length > 1) {
    throw new UsageError("--session names the session of one file.", "Import the files one by one.");
  }
  const results = await interruptible("What was added is kept; the same command goes on from there.", (signal) =>
    importAll(files, options, signal),
  );
  const data = findData(options).file;
  process.stdout.write(options.json ? printJson({ data, files: results.map(forJson) }) : printImport(data, results));
  if (results.some(({ sessions }) => sessions.some(({ different }) => different.length > 0))) {
    process.exitCode = EXIT.failed;
  }
  if (results.some(({ problem }) => problem !== undefined)) process.exitCode = EXIT.badInput;
}

async function importAll(
  files: readonly string[],
  { format, model: modelId, session, ...options }: ImportOptions,
  signal: AbortSignal,
): Promise<ImportedFile[]> {
  const progress = new Progress("Importing", await totalSize(files));
  const results: ImportedFile[] = [];
  await withNewData(options, async (open) => {
    const store = async () => (await open()).store;
    try {
      for (const file of files) {
        const result = await importFile(file, { store, modelId, format, session, progress, signal });
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

function forJson({ problem, ...result }: ImportedFile): object {
  return { ...result, problem: problem?.message ?? null };
}
