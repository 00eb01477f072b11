/** Agents that list MCP servers in a JSON file. */
export type McpAgent = "claude-code" | "cursor" | "gemini-cli" | "opencode" | "vscode";

/** The place and content of Throughline's entry in such a file. */
export interface McpEntry {
  readonly list: string;
  readonly server: object;
}

const LISTS: Readonly<Record<McpAgent, string>> = {
  "claude-code": "mcpServers",
  cursor: "mcpServers",
  "gemini-cli": "mcpServers",
  opencode: "mcp",
  vscode: "servers",
};

/**
 * The MCP server entry for an agent.
 *
 * @param program the command line as a list: a program and its first arguments
 * @param isOfUser true for all projects: the agent starts the server in the folder of the project
 */
export function mcpEntry(agent: McpAgent, program: readonly string[], isOfUser: boolean): McpEntry {
  const list = LISTS[agent];
  const words = [...program, "mcp", ...projectWords(agent, isOfUser)];
  if (agent === "opencode") return { list, server: { type: "local", command: words, enabled: true } };
  const [command, ...args] = words;
  return { list, server: { ...(agent !== "gemini-cli" && { type: "stdio" }), command, args } };
}

/**
 * Cursor does not document the folder in which it starts servers. VS Code does, and fails if a variable has no value.
 */
function projectWords(agent: McpAgent, isOfUser: boolean): readonly string[] {
  const isNamed = agent === "cursor" || (agent === "vscode" && !isOfUser);
  return isNamed ? ["--project", `\${workspaceFolder}`] : [];
}
