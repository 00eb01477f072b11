import path from "node:path";
import process from "node:process";
import { Argument, type Command } from "commander";
import type { Agent } from "../../integrations/agent-hooks.ts";
import type { Surroundings } from "../data/data-folder.ts";
import type { DataOptions } from "../data/open-data.ts";
import { EXIT } from "../exit-codes.ts";
import { dryRunOption, jsonOption } from "../options.ts";
import { printJson } from "../print-json.ts";
import { UsageError } from "../usage-error.ts";

/** Reached through a server that is not there yet; what else they offer gives no words to the model, or no transcript. */
const THROUGH_MCP = { cursor: "Cursor", vscode: "VS Code" } as const;
const NAMES: Readonly<Record<Agent, string>> = { "claude-code": "Claude Code", opencode: "OpenCode", codex: "Codex" };

type Tool = Agent | keyof typeof THROUGH_MCP;

/** The options of the commands that change the configuration of an agent. */
export interface ChangeOptions extends DataOptions {
  readonly dir?: string;
  readonly user?: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** Adds the argument and the options of those commands. */
export function withToolOptions(command: Command): Command {
  return command
    .addArgument(new Argument("<tool>").choices([...Object.keys(NAMES), ...Object.keys(THROUGH_MCP)]))
    .option("--dir <folder>", "the project; this folder if not given")
    .option("--user", "for all your projects, in your own configuration")
    .addOption(dryRunOption())
    .option("-y, --yes", "do not ask")
    .addOption(jsonOption());
}

export function nameOf(agent: Agent): string {
  return NAMES[agent];
}

/** The agent of that name, where there is a way to it; else it says that there is none, and that is all. */
export function reachable(tool: Tool, { json }: ChangeOptions): Agent | undefined {
  if (!(tool in THROUGH_MCP)) return tool as Agent;
  const name = THROUGH_MCP[tool as keyof typeof THROUGH_MCP];
  const reason = `${name} needs the MCP server, which is not in this version; nothing was written.`;
  if (json) process.stdout.write(printJson({ tool, changed: false, reason }));
  else process.stderr.write(`throughline: ${reason}\n`);
  process.exitCode = EXIT.refused;
  return undefined;
}

/** The file that the agent reads. */
export function configFile(agent: Agent, { dir, user }: ChangeOptions, { env, home }: Surroundings): string {
  if (dir !== undefined && user) throw new UsageError("--dir and --user exclude each other.", "Leave one of them out.");
  if (dir === "") throw new UsageError("--dir names no folder.", "It takes a folder.");
  const project = path.resolve(dir ?? ".");
  const config = env.XDG_CONFIG_HOME || path.join(home, ".config");
  switch (agent) {
    case "claude-code":
      return path.join(
        user ? env.CLAUDE_CONFIG_DIR || path.join(home, ".claude") : path.join(project, ".claude"),
        "settings.json",
      );
    case "codex":
      return path.join(user ? env.CODEX_HOME || path.join(home, ".codex") : path.join(project, ".codex"), "hooks.json");
    case "opencode":
      return path.join(
        user ? env.OPENCODE_CONFIG_DIR || path.join(config, "opencode") : path.join(project, ".opencode"),
        "plugins",
        "throughline.js",
      );
  }
}
