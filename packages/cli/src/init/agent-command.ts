import process from "node:process";
import { EXIT } from "../program/exit-codes.ts";
import { printJson } from "../terminal/print-json.ts";
import { type ChangeOptions, nameOf, type Tool } from "./agent-tool.ts";
import { programCommand, shellLine } from "./program-path.ts";

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
