import { existsSync } from "node:fs";
import process from "node:process";
import { Argument, type Command } from "commander";
import { findSimilar } from "throughline/internal/util";
import {
  claudeFolder,
  codexFolder,
  configFolder,
  type Environment,
  editorFolder,
  environment,
  geminiFolder,
  pathsOf,
} from "../config/environment.ts";
import type { CommandOptions } from "../data/open-data.ts";
import type { Agent } from "../hook/agent-hooks.ts";
import { dirOption, dryRunOption, jsonOption, refuseRenamed } from "../terminal/options.ts";
import { printJson } from "../terminal/print-values.ts";
import { EXIT, UsageError } from "../usage-error.ts";
import type { McpAgent } from "./hook-file.ts";
import { programCommand, shellLine } from "./program-path.ts";
import { SKILL_NAME } from "./remember-skill.ts";

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
export interface ChangeOptions extends CommandOptions {
  readonly dir?: string;
  /** Change the user's configuration, not that of a project. */
  readonly global?: boolean;
  readonly mcp?: boolean;
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
  throw new UsageError(`Unknown agent: ${name}${question}.`, `Use one of ${TOOLS.join(", ")}.`);
}

/** The configuration file for an agent's hooks. */
export function hookFile(agent: Agent, options: ChangeOptions, system = environment()): string {
  const place = placeOf(options, system);
  const { base } = place;
  const path = pathsOf(place);
  switch (agent) {
    case "claude-code":
      return path.join(options.global ? claudeFolder(place) : path.join(base, ".claude"), "settings.json");
    case "codex":
      return path.join(options.global ? codexFolder(place) : path.join(base, ".codex"), "hooks.json");
    case "gemini-cli":
      return serverFile(agent, options, system);
    case "opencode":
      return path.join(
        options.global ? opencodeFolder(place) : path.join(base, ".opencode"),
        "plugins",
        "throughline.js",
      );
  }
}

/** The configuration file for an agent's MCP servers. */
export function serverFile(agent: McpAgent, options: ChangeOptions, system = environment()): string {
  const place = placeOf(options, system);
  const { base } = place;
  const path = pathsOf(place);
  switch (agent) {
    case "claude-code":
      return path.join(base, ".mcp.json");
    case "cursor":
      return path.join(base, ".cursor", "mcp.json");
    case "gemini-cli":
      return path.join(options.global ? geminiFolder(place) : path.join(base, ".gemini"), "settings.json");
    case "vscode":
      return options.global
        ? path.join(editorFolder(place), "User", "mcp.json")
        : path.join(base, ".vscode", "mcp.json");
    case "opencode": {
      const plain = path.join(options.global ? opencodeFolder(place) : base, "opencode.json");
      // OpenCode reads both; a file with comments is the .jsonc one.
      return existsSync(`${plain}c`) ? `${plain}c` : plain;
    }
  }
}

/** Folders of the agents that contain `skills` in a project. */
const PROJECT_SKILLS: Readonly<Record<Tool, string>> = {
  "claude-code": ".claude",
  codex: ".agents",
  cursor: ".cursor",
  "gemini-cli": ".gemini",
  opencode: ".opencode",
  vscode: ".github",
};

/** The file of the skill `/remember`. */
export function skillFile(tool: Tool, options: ChangeOptions, system = environment()): string {
  const place = placeOf(options, system);
  const folder = options.global ? userSkills(tool, place) : pathsOf(place).join(place.base, PROJECT_SKILLS[tool]);
  return pathsOf(place).join(folder, "skills", SKILL_NAME, "SKILL.md");
}

/** The same for all projects of the user. */
function userSkills(tool: Tool, place: Place): string {
  if (tool === "claude-code") return claudeFolder(place);
  if (tool === "opencode") return opencodeFolder(place);
  if (tool === "gemini-cli") return geminiFolder(place);
  return pathsOf(place).join(place.home, tool === "vscode" ? ".copilot" : PROJECT_SKILLS[tool]);
}

interface Place extends Environment {
  /** The project folder, or the user's configuration folder. */
  readonly base: string;
}

function placeOf({ dir, global: isGlobal }: ChangeOptions, system: Environment): Place {
  if (dir !== undefined && isGlobal)
    throw new UsageError("--dir and --global cannot be combined.", "Remove one of them.");
  if (dir === "") throw new UsageError("--dir is empty.", "Give the path of a folder.");
  return { ...system, base: isGlobal ? system.home : pathsOf(system).resolve(dir ?? ".") };
}

function opencodeFolder(place: Place): string {
  return place.env.OPENCODE_CONFIG_DIR || pathsOf(place).join(configFolder(place), "opencode");
}

/** The agent's own command for managing MCP servers. */
interface AgentCommand {
  readonly init: (program: string) => string;
  readonly uninstall: string;
}

const CODEX: AgentCommand = {
  init: (program) => `codex mcp add throughline -- ${program} mcp`,
  uninstall: "codex mcp remove throughline",
};

const CLAUDE_CODE: AgentCommand = {
  init: (program) => `claude mcp add --scope user throughline -- ${program} mcp`,
  uninstall: "claude mcp remove --scope user throughline",
};

/**
 * Prints the agent's own command if Throughline does not edit its configuration, because it is not JSON or has much
 * other content. Returns true if it printed one.
 */
export function printAgentCommand(step: "init" | "uninstall", tool: Tool, options: ChangeOptions): boolean {
  const command = options.mcp ? serverCommand(tool, options) : undefined;
  if (command === undefined) return false;
  const line = step === "init" ? command.init(shellLine(programCommand(options))) : command.uninstall;
  const reason = `${nameOf(tool)} has its own command for this. Nothing was written.`;
  if (options.json) process.stdout.write(printJson({ tool, changed: false, reason, command: line }));
  else process.stderr.write(`throughline: ${reason}\nRun: ${line}\n`);
  process.exitCode = EXIT.refused;
  return true;
}

/** The agent's own command, if Throughline does not edit the file with its MCP servers. */
export function serverCommand(tool: Tool, { global: isGlobal }: ChangeOptions): AgentCommand | undefined {
  if (tool === "codex") return CODEX;
  return tool === "claude-code" && isGlobal ? CLAUDE_CODE : undefined;
}
