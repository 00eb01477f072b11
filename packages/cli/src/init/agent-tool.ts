import { Argument, type Command } from "commander";
import type { DataOptions } from "../data/open-data.ts";
import type { Agent } from "../integrations/agent-hooks.ts";
import type { McpAgent } from "../integrations/mcp-entry.ts";
import { dryRunOption, jsonOption } from "../options.ts";

export type Tool = Agent | McpAgent;

const NAMES: Readonly<Record<Tool, string>> = {
  "claude-code": "Claude Code",
  opencode: "OpenCode",
  codex: "Codex",
  cursor: "Cursor",
  vscode: "VS Code",
};

/** The options of the commands that change the configuration of an agent. */
export interface ChangeOptions extends DataOptions {
  readonly dir?: string;
  readonly user?: boolean;
  readonly mcp?: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** Adds the argument and the options of those commands. */
export function withToolOptions(command: Command): Command {
  return command
    .addArgument(new Argument("<tool>").choices(Object.keys(NAMES)))
    .option("--dir <folder>", "the project; this folder if not given")
    .option("--user", "for all your projects, in your own configuration")
    .option("--mcp", "the MCP server, in place of hooks or a plugin; cursor and vscode have no other way")
    .addOption(dryRunOption())
    .option("-y, --yes", "do not ask")
    .addOption(jsonOption());
}

export function nameOf(tool: Tool): string {
  return NAMES[tool];
}
