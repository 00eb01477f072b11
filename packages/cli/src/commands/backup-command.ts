import { stat } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import type { Command } from "commander";
import { InvalidOptionError } from "throughline";
import { loadSqlite } from "../data/data-location.ts";
import { type CommandOptions, findFile } from "../data/open-data.ts";
import { jsonOption } from "../terminal/options.ts";
import { printResult, size } from "../terminal/print-values.ts";
import { UsageError } from "../usage-error.ts";

export function addBackupCommand(program: Command): void {
  program
    .command("backup")
    .summary("Copy the data to a file")
    .description("Copy the data to a file. Safe while other processes use it.")
    .argument("<file>", "File to create; an existing file is never overwritten")
    .addOption(jsonOption())
    .addHelpText("after", "\nExample:\n  throughline backup ~/throughline-backup.db")
    .action((target: string, _, command: Command) => backup(target, command.optsWithGlobals()));
}

async function backup(target: string, options: CommandOptions): Promise<void> {
  const { file, exists } = findFile(options, "Use `pg_dump` to copy a PostgreSQL database.");
  if (!exists)
    throw new UsageError(
      `Cannot back up ${file}: no data is stored yet.`,
      "Import a transcript first: `throughline import FILE`.",
    );
  // The copy is readable only by the user, like the data.
  process.umask(0o077);
  const { backupSqlite } = await loadSqlite();
  try {
    await backupSqlite(file, target);
  } catch (error) {
    if (!(error instanceof InvalidOptionError)) throw error;
    throw new UsageError(`Could not write ${target}: the file already exists.`, "Choose the name of a new file.");
  }
  const made = { data: file, backup: path.resolve(target), bytes: (await stat(target)).size };
  printResult(options, made, () => `Copied ${size(made.bytes)} to ${made.backup}.\n`);
}
