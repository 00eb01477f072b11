import type { Command } from "commander";
import { addBackupCommand } from "../backup/backup-command.ts";
import { addCompactCommand } from "../compact/compact-command.ts";
import { addCompletionCommand } from "../completion/completion-command.ts";
import { addConfigCommand } from "../config/config-command.ts";
import { addConsolidateCommand } from "../consolidate/consolidate-command.ts";
import { addContextCommand } from "../context/context-command.ts";
import { addContradictionsCommand } from "../contradictions/contradictions-command.ts";
import { addDoctorCommand } from "../doctor/doctor-command.ts";
import { addEncryptCommand } from "../encrypt/encrypt-command.ts";
import { addExportCommand } from "../export/export-command.ts";
import { addForgetCommand } from "../forget/forget-command.ts";
import { addHookCommand } from "../hook/hook-command.ts";
import { addImportCommand } from "../import/import-command.ts";
import { addInitCommand } from "../init/init-command.ts";
import { addInspectCommand } from "../inspect/inspect-command.ts";
import { addJobsCommand } from "../jobs/jobs-command.ts";
import { addJournalCommand } from "../journal/journal-command.ts";
import { addLearnCommand } from "../learn/learn-command.ts";
import { addMcpCommand } from "../mcp/mcp-command.ts";
import { addMemoriesCommand } from "../memories/memories-command.ts";
import { addMigrateLegacyCommand } from "../migrate-legacy/migrate-legacy-command.ts";
import { addProjectsCommand } from "../projects/projects-command.ts";
import { addPurgeCommand } from "../purge/purge-command.ts";
import { addRecallCommand } from "../recall/recall-command.ts";
import { addReembedCommand } from "../reembed/reembed-command.ts";
import { addRememberCommand } from "../remember/remember-command.ts";
import { addRestoreCommand } from "../restore/restore-command.ts";
import { addServeCommand } from "../serve/serve-command.ts";
import { addSessionsCommand } from "../sessions/sessions-command.ts";
import { addShowCommand } from "../show/show-command.ts";
import { addSyncCommand } from "../sync/sync-command.ts";
import { addTokenCommand } from "../token/token-command.ts";
import { addUndoCommand } from "../undo/undo-command.ts";
import { addUninstallCommand } from "../uninstall/uninstall-command.ts";
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
