import type { Command } from "commander";
import { addBackupCommand } from "../commands/backup-command.ts";
import { addCompactCommand } from "../commands/compact-command.ts";
import { addCompletionCommand } from "../commands/completion-command.ts";
import { addConfigCommand } from "../commands/config-command.ts";
import { addConsolidateCommand } from "../commands/consolidate-command.ts";
import { addContextCommand } from "../commands/context-command.ts";
import { addContradictionsCommand } from "../commands/contradictions-command.ts";
import { addEncryptCommand } from "../commands/encrypt-command.ts";
import { addExportCommand } from "../commands/export-command.ts";
import { addForgetCommand } from "../commands/forget-command.ts";
import { addInspectCommand } from "../commands/inspect-command.ts";
import { addJobsCommand } from "../commands/jobs-command.ts";
import { addJournalCommand } from "../commands/journal-command.ts";
import { addLearnCommand } from "../commands/learn-command.ts";
import { addMcpCommand } from "../commands/mcp-command.ts";
import { addMemoriesCommand } from "../commands/memories-command.ts";
import { addMigrateLegacyCommand } from "../commands/migrate-legacy-command.ts";
import { addProjectsCommand } from "../commands/projects-command.ts";
import { addPurgeCommand } from "../commands/purge-command.ts";
import { addRecallCommand } from "../commands/recall-command.ts";
import { addReembedCommand } from "../commands/reembed-command.ts";
import { addRememberCommand } from "../commands/remember-command.ts";
import { addRestoreCommand } from "../commands/restore-command.ts";
import { addServeCommand } from "../commands/serve-command.ts";
import { addSessionsCommand } from "../commands/sessions-command.ts";
import { addShowCommand } from "../commands/show-command.ts";
import { addTokenCommand } from "../commands/token-command.ts";
import { addUndoCommand } from "../commands/undo-command.ts";
import { addDoctorCommand } from "../doctor/doctor-command.ts";
import { addHookCommand } from "../hook/hook-command.ts";
import { addImportCommand } from "../import/import-command.ts";
import { addInitCommand, addUninstallCommand } from "../init/init-command.ts";
import { addSyncCommand } from "../sync/sync-command.ts";
import { baseProgram } from "./base-program.ts";

/**
 * Defines all commands, without running one. Use it to read their names, options and help.
 *
 * @returns The program of the `commander` package.
 *
 * @example
 * const names = createProgram().commands.map((command) => command.name());
 */
export function createProgram(): Command {
  return baseProgram(addCommands);
}

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
