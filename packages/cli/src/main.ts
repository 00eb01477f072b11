import process from "node:process";
import { Command } from "commander";
import packageJson from "../package.json" with { type: "json" };
import { addBackupCommand } from "./backup/backup-command.ts";
import { addCompactCommand } from "./compact/compact-command.ts";
import { addCompletionCommand } from "./completion/completion-command.ts";
import { addConfigCommand } from "./config/config-command.ts";
import { takeSettings } from "./config/resolve-project-option.ts";
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
import { addPurgeCommand } from "./purge/purge-command.ts";
import { addRecallCommand } from "./recall/recall-command.ts";
import { addRememberCommand } from "./remember/remember-command.ts";
import { reportError } from "./report-error.ts";
import { addRestoreCommand } from "./restore/restore-command.ts";
import { withDefaultCommand } from "./serve/default-command.ts";
import { addServeCommand } from "./serve/serve-command.ts";
import { addSessionsCommand } from "./sessions/sessions-command.ts";
import { addShowCommand } from "./show/show-command.ts";
import { addTokenCommand } from "./token/token-command.ts";
import { addUndoCommand } from "./undo/undo-command.ts";
import { addUninstallCommand } from "./uninstall/uninstall-command.ts";

/** Runs the command line and gives back its exit code. */
export async function main(args: readonly string[]): Promise<number> {
  endQuietlyWithTheReader();
  endAtInterrupt();
  try {
    const program = createProgram();
    await program.parseAsync(withDefaultCommand(program, args), { from: "user" });
    // A command that did its work and found something wrong has set it.
    return Number(process.exitCode ?? EXIT.done);
  } catch (error) {
    const code = reportError(error);
    // What was being read when the user stopped it may never end by itself.
    if (code === EXIT.interrupted) process.exit(code);
    return code;
  }
}

/** `throughline … | head` closes the pipe before everything is written; that is no error. */
function endQuietlyWithTheReader(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit(EXIT.done);
  });
}

function createProgram(): Command {
  const program: Command = new Command("throughline")
    .description("Keeps long AI conversations on track, and remembers across them.")
    .usage("[--data <folder>] [command]")
    .option("--data <folder>", "where everything is kept; also THROUGHLINE_DATA")
    .version(packageJson.version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand(false)
    .configureHelp({
      showGlobalOptions: true,
      visibleGlobalOptions: () => program.options.filter(({ long }) => long === "--data"),
    })
    .showSuggestionAfterError()
    .showHelpAfterError("See `throughline --help`.")
    .hook("preAction", (_, command) => {
      // A hook takes them itself: whatever is wrong with them, no agent stops because of it.
      if (command.name() !== "hook") takeSettings(command);
    })
    .exitOverride();
  addCommands(program);
  // Behind the commands, which would take it over: what is good for a list of commands is not for one of them.
  return program.configureHelp(overview()).addHelpText("after", AFTERWORD);
}

const AFTERWORD = "\nCOMMAND --help explains a command; --data or THROUGHLINE_DATA name the folder.";

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
  program.commandsGroup("Remember:");
  addRememberCommand(program);
  addRecallCommand(program);
  addContextCommand(program);
  addMemoriesCommand(program);
  addForgetCommand(program);
  addContradictionsCommand(program);
  addConsolidateCommand(program);
  addJournalCommand(program);
  addUndoCommand(program);
  program.commandsGroup("Look after the data and the server:");
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
