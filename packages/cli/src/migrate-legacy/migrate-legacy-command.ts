import process from "node:process";
import type { Command } from "commander";
import { type DataOptions, findData, OWNER, withKeptData, withTarget } from "../data/open-data.ts";
import { EXIT } from "../exit-codes.ts";
import { Keeper } from "../import/import-writer.ts";
import { interruptible } from "../interruption.ts";
import { jsonOption, modelOption } from "../options.ts";
import { printJson } from "../print-json.ts";
import { Progress } from "../progress.ts";
import { UsageError } from "../usage-error.ts";
import { convertKept, printConversion } from "./convert-kept.ts";
import { LegacyTable } from "./legacy-table.ts";
import { migrateTable } from "./migrate-table.ts";
import { withLegacyDatabase } from "./open-legacy.ts";
import { type Migration, printMigration } from "./print-migration.ts";

/** Fewer rows are done before anybody could wonder. */
const WORTH_SHOWING = 500;
const GOES_ON = "What was added is kept; the same command goes on from there.";

interface LegacyOptions extends DataOptions {
  readonly from?: string;
  readonly table: string;
  readonly model: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

type MigrateOptions = LegacyOptions & { readonly from: string };

export function addMigrateLegacyCommand(program: Command): void {
  program
    .command("migrate-legacy")
    .summary("keep another's messages")
    .description(
      "keep the messages of a flat table: one row each, the content a JSON text of the AI SDK; without --from, give such " +
        "rows in our own data their parts",
    )
    .option("--from <file>", "the SQLite database that has the table; it is only read")
    .option("--table <name>", "with the columns id, session_id, role, content, perhaps created_at", "messages")
    .addOption(modelOption())
    .option("--dry-run", "say what would be added, and add nothing")
    .addOption(jsonOption())
    .addHelpText("after", "\nExample:\n  throughline migrate-legacy --from old.db --dry-run")
    .action((_, command: Command) => migrateLegacy(command.optsWithGlobals()));
}

async function migrateLegacy(options: LegacyOptions): Promise<void> {
  const { from } = options;
  if (from === undefined) return convertOwn(options);
  const migration = await interruptible(GOES_ON, (signal) => migrate({ ...options, from }, signal));
  process.stdout.write(options.json ? printJson(migration) : printMigration(migration));
  const { unreadable, sessions } = migration;
  if (unreadable.length > 0 || sessions.some(({ different }) => different.length > 0)) process.exitCode = EXIT.failed;
}

async function convertOwn(options: LegacyOptions): Promise<void> {
  if (options.dryRun) throw new UsageError("--dry-run goes with --from.", "`throughline doctor` counts flat messages.");
  const { file } = findData(options);
  const conversion = (await withKeptData(options, ({ store }) => {
    const progress = new Progress("Converting", 0);
    return interruptible(GOES_ON, (signal) => convertKept(store, file, progress, signal)).finally(() => progress.end());
  })) ?? { data: file, converted: 0, unreadable: [] };
  process.stdout.write(options.json ? printJson(conversion) : printConversion(conversion));
  if (conversion.unreadable.length > 0) process.exitCode = EXIT.failed;
}

function migrate(options: MigrateOptions, signal: AbortSignal): Promise<Migration> {
  const { from, dryRun = false, model: modelId, table: name } = options;
  return withLegacyDatabase(from, async (database) => {
    const table = new LegacyTable(database, name);
    const rows = table.size;
    const progress = new Progress("Migrating", rows < WORTH_SHOWING ? 0 : rows);
    const { sessions, unreadable } = await withTarget(options, async (open) => {
      const store = async () => (await open()).store;
      const keeper = new Keeper(store, { owner: OWNER, modelId, dryRun });
      try {
        const unreadable = await migrateTable(table, keeper, progress, signal);
        return { sessions: keeper.sessions, unreadable };
      } finally {
        progress.end();
      }
    });
    return { data: findData(options).file, from, dryRun, rows, sessions, unreadable };
  });
}
