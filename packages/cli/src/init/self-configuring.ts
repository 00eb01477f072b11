import process from "node:process";
import { EXIT } from "../exit-codes.ts";
import { printJson } from "../print-json.ts";
import { type ChangeOptions, nameOf, type Tool } from "./agent-tool.ts";
import { inShell, ourProgram } from "./program-path.ts";

/** How an agent is told of our MCP server where its own command writes what we would not touch. */
interface OwnCommand {
  readonly init: (program: string) => string;
  readonly uninstall: string;
}

const CODEX: OwnCommand = {
  init: (program) => `codex mcp add throughline -- ${program} mcp`,
  uninstall: "codex mcp remove throughline",
};

const CLAUDE_CODE: OwnCommand = {
  init: (program) => `claude mcp add --scope user throughline -- ${program} mcp`,
  uninstall: "claude mcp remove --scope user throughline",
};

/**
 * Says which command of the agent does what was asked for, where we do not do it: what it keeps its servers in is no
 * JSON, or holds much else. `false` where we do.
 */
export function isByItsOwnCommand(step: "init" | "uninstall", tool: Tool, options: ChangeOptions): boolean {
  const command = ownCommand(tool, options);
  if (command === undefined) return false;
  const line = step === "init" ? command.init(inShell(ourProgram(options))) : command.uninstall;
  const reason = `${nameOf(tool)} changes this by a command of its own; nothing was written.`;
  if (options.json) process.stdout.write(printJson({ tool, changed: false, reason, command: line }));
  else process.stderr.write(`throughline: ${reason}\nRun: ${line}\n`);
  process.exitCode = EXIT.refused;
  return true;
}

function ownCommand(tool: Tool, { mcp, user }: ChangeOptions): OwnCommand | undefined {
  if (!mcp) return undefined;
  if (tool === "codex") return CODEX;
  return tool === "claude-code" && user ? CLAUDE_CODE : undefined;
}
