/**
 * The command line, to run it from another program.
 *
 * @module
 * @example
 * process.exitCode = await main(["memories", "--json"]);
 */
import process from "node:process";
import { Command } from "commander";
import packageJson from "../package.json" with { type: "json" };
import { addBackupCommand } from "./backup/backup-command.ts";
import { addCompactCommand } from "./compact/compact-command.ts";
import { addCompletionCommand } from "./completion/completion-command.ts";
import { addConfigCommand } from "./config/config-command.ts";
import { resolveProjectOption } from "./config/resolve-project-option.ts";
import { addConsolidateCommand } from "./consolidate/consolidate-command.ts";
import { addContextCommand } from "./context/context-command.ts";
import { addContradictionsCommand } from "./contradictions/contradictions-command.ts";
import { addDoctorCommand } from "./doctor/doctor-command.ts";
import { addEncryptCommand } from "./encrypt/encrypt-command.ts";
import { EXIT } from "./exit-codes.ts";
import { addExportCommand } from "./export/export-command.ts";
import { addForgetCommand } from "./forget/forget-command.ts";
import { overview } from "./help-overview.ts";
import { addHookCommand } from "./hook/hook-command.ts";
import { addImportCommand } from "./import/import-command.ts";
import { addInitCommand } from "./init/init-command.ts";
import { addInspectCommand } from "./inspect/inspect-command.ts";
import { endAtInterrupt } from "./interruption.ts";
import { addJobsCommand } from "./jobs/jobs-command.ts";
import { addJournalCommand } from "./journal/journal-command.ts";
import { addLearnCommand } from "./learn/learn-command.ts";
import { addMcpCommand } from "./mcp/mcp-command.ts";
import { addMemoriesCommand } from "./memories/memories-command.ts";
import { addMigrateLegacyCommand } from "./migrate-legacy/migrate-legacy-command.ts";
import { addProjectsCommand } from "./projects/projects-command.ts";
import { addPurgeCommand } from "./purge/purge-command.ts";
import { addRecallCommand } from "./recall/recall-command.ts";
import { addReembedCommand } from "./reembed/reembed-command.ts";
import { addRememberCommand } from "./remember/remember-command.ts";
import { reportError } from "./report-error.ts";
import { addRestoreCommand } from "./restore/restore-command.ts";
import { withDefaultCommand } from "./serve/default-command.ts";
import { addServeCommand } from "./serve/serve-command.ts";
import { addSessionsCommand } from "./sessions/sessions-command.ts";
import { addShowCommand } from "./show/show-command.ts";
import { addSyncCommand } from "./sync/sync-command.ts";
import { addTokenCommand } from "./token/token-command.ts";
import { addUndoCommand } from "./undo/undo-command.ts";
import { addUninstallCommand } from "./uninstall/uninstall-command.ts";

/**
 * Runs the command line in this process. It prints to stdout and stderr, and reports errors there instead of throwing.
 *
 * @param args Arguments after the program's name.
 * @returns The exit code: 0 done, 1 failed, 2 bad usage or input, 3 refused.
 *
 * @example
 * process.exitCode = await main(["recall", "When do we deploy?", "--json"]);
 */
export async function main(args: readonly string[]): Promise<number> {
  endQuietlyWithTheReader();
  endAtInterrupt();
  try {
    const program = createProgram();
    await program.parseAsync(withDefaultCommand(program, args), { from: "user" });
    // Set by a command that finished and found a problem.
    return Number(process.exitCode ?? EXIT.done);
  } catch (error) {
    const code = reportError(error);
    // A pending read may never end by itself.
    if (code === EXIT.interrupted) process.exit(code);
    return code;
  }
}

/** `throughline … | head` closes the pipe before everything is written; that is not an error. */
function endQuietlyWithTheReader(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit(EXIT.done);
  });
}

/**
 * Defines all commands, without running one. Use it to read their names, options and help.
 *
 * @returns The program of the `commander` package.
 *
 * @example
 * const names = createProgram().commands.map((command) => command.name());
 */
export function createProgram(): Command {
  const program: Command = new Command("throughline")
    .description("Fit long AI sessions into the context window, and remember across sessions.")
    .usage("[--data <folder>] [command]")
    .option("--data <folder>", "Folder that holds the data (default: THROUGHLINE_DATA, or your platform's data folder)")
    .version(packageJson.version, "-V, --version", "Print the version")
    .helpOption("-h, --help", "Print help")
    .helpCommand(false)
    .configureHelp({
      showGlobalOptions: true,
      visibleGlobalOptions: () => program.options.filter(({ long }) => long === "--data"),
    })
    .showSuggestionAfterError()
    .hook("preAction", async (_, command) => {
      // A hook resolves it itself, because an invalid setting must not stop the agent.
      if (command.name() !== "hook") await resolveProjectOption(command);
    })
    .exitOverride();
  addCommands(program);
  pointToHelp(program, program.name());
  // After the commands, which would inherit this layout.
  return program.configureHelp(overview()).addHelpText("after", AFTERWORD);
}

/** Errors of a command refer to the help of that command. */
function pointToHelp(command: Command, line: string): void {
  command.showHelpAfterError(`See \`${line} --help\`.`);
  for (const one of command.commands) pointToHelp(one, `${line} ${one.name()}`);
}

const AFTERWORD = "\nRun `throughline COMMAND --help` for details; --data selects a data folder.";

function addCommands(program: Command): void {
  program.commandsGroup("Chat, coding agents and sessions:");
  addServeCommand(program);
  addInitCommand(program);
  addUninstallCommand(program);
  addHookCommand(program);
  addMcpCommand(program);
  addInspectCommand(program);
  addCompactCommand(program);
  addImportCommand(program);
  addLearnCommand(program);
  addSessionsCommand(program);
  addShowCommand(program);
  addRestoreCommand(program);
  program.commandsGroup("Memories:");
  addRememberCommand(program);
  addRecallCommand(program);
  addContextCommand(program);
  addMemoriesCommand(program);
  addForgetCommand(program);
  addSyncCommand(program);
  addProjectsCommand(program);
  addContradictionsCommand(program);
  addConsolidateCommand(program);
  addReembedCommand(program);
  addJournalCommand(program);
  addUndoCommand(program);
  program.commandsGroup("Data and server:");
  addExportCommand(program);
  addPurgeCommand(program);
  addDoctorCommand(program);
  addBackupCommand(program);
  addEncryptCommand(program);
  addMigrateLegacyCommand(program);
  addConfigCommand(program);
  addCompletionCommand(program);
  addTokenCommand(program);
  addJobsCommand(program);
}
