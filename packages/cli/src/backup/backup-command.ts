import { stat } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import type { Command } from "commander";
import { InvalidOptionError } from "throughline";
import { type DataOptions, findFile } from "../data/open-data.ts";
import { loadSqlite } from "../data/sqlite-module.ts";
import { size } from "../format-values.ts";
import { jsonOption } from "../options.ts";
import { printJson } from "../print-json.ts";
import { UsageError } from "../usage-error.ts";

interface BackupOptions extends DataOptions {
  readonly json?: boolean;
}

export function addBackupCommand(program: Command): void {
  program
    .command("backup")
    .summary("copy it, also while in use")
    .description("copy the data, also while it is in use")
    .argument("<target>", "the file to make; one that is there is left alone")
    .addOption(jsonOption())
    .addHelpText("after", "\nExample:\n  throughline backup ~/throughline-backup.db")
    .action((target: string, _, command: Command) => backup(target, command.optsWithGlobals()));
}

async function backup(target: string, options: BackupOptions): Promise<void> {
  const { file, exists } = findFile(options, "`pg_dump` copies it.");
  if (!exists) throw new UsageError(`There is no data yet in ${file}.`, "`throughline import FILE` keeps some.");
  // The copy is the user's alone, as the data is.
  process.umask(0o077);
  const { backupSqlite } = await loadSqlite();
  try {
    await backupSqlite(file, target);
  } catch (error) {
    if (!(error instanceof InvalidOptionError)) throw error;
    throw new UsageError(`${target} is there already.`, "Give the name of a new file; this one is as it was.");
  }
  const made = { data: file, backup: path.resolve(target), bytes: (await stat(target)).size };
  process.stdout.write(options.json ? printJson(made) : `${size(made.bytes)} copied to ${made.backup}.\n`);
}
