import { Argument, type Command } from "commander";
import { findSimilar } from "throughline/internal";
import type { DataOptions } from "../data/open-data.ts";
import type { Agent } from "../hook/agent-hooks.ts";
import type { McpAgent } from "./mcp-entry.ts";
import { dirOption, dryRunOption, jsonOption, refuseRenamed } from "../terminal/options.ts";
import { UsageError } from "../usage-error.ts";

export type Tool = Agent | McpAgent;

const NAMES: Readonly<Record<Tool, string>> = {
  "claude-code": "Claude Code",
  opencode: "OpenCode",
  codex: "Codex",
  "gemini-cli": "Gemini CLI",
  cursor: "Cursor",
  vscode: "VS Code",
};

export const TOOLS = Object.keys(NAMES) as readonly Tool[];

/** Options of the commands that change an agent's configuration. */
export interface ChangeOptions extends DataOptions {
  readonly dir?: string;
  /** Change the user's configuration, not that of a project. */
  readonly global?: boolean;
  readonly mcp?: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** Adds the argument and the options of those commands. */
export function withToolOptions(command: Command): Command {
  return refuseRenamed(command, { "--user": "--global" })
    .addArgument(new Argument("<agent>", "Coding agent").choices(TOOLS).argParser(toTool))
    .addOption(dirOption())
    .option("-g, --global", "Use your user configuration, for all your projects")
    .option("--mcp", "Set up or remove the MCP server only")
    .addOption(dryRunOption())
    .option("-y, --yes", "Do not ask for confirmation")
    .addOption(jsonOption());
}

export function nameOf(tool: Tool): string {
  return NAMES[tool];
}

/** @throws UsageError for an unknown agent, with the one that is probably meant */
function toTool(name: string): Tool {
  const found = TOOLS.find((tool) => tool === name);
  if (found !== undefined) return found;
  const meant = findSimilar(name, TOOLS);
  const question = meant === undefined ? "" : ` (did you mean ${meant}?)`;
  throw new UsageError(`Unknown agent: ${name}${question}`, `Agents: ${TOOLS.join(", ")}.`);
}
