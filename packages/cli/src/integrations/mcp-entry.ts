/** The agents that are told of MCP servers in a file of JSON. */
export type McpAgent = "claude-code" | "cursor" | "opencode" | "vscode";

/** Where such a file lists its servers, and how ours is written there. */
export interface McpEntry {
  readonly list: string;
  readonly server: object;
}

const LISTS: Readonly<Record<McpAgent, string>> = {
  "claude-code": "mcpServers",
  cursor: "mcpServers",
  opencode: "mcp",
  vscode: "servers",
};

/**
 * What an agent is told of our MCP server.
 *
 * @param program the command line as a list: a program and its first arguments
 * @param isOfUser it holds for all projects: the agent tells which one by the folder that it starts us in
 */
export function mcpEntry(agent: McpAgent, program: readonly string[], isOfUser: boolean): McpEntry {
  const list = LISTS[agent];
  const words = [...program, "mcp", ...projectWords(agent, isOfUser)];
  if (agent === "opencode") return { list, server: { type: "local", command: words, enabled: true } };
  const [command, ...args] = words;
  return { list, server: { type: "stdio", command, args } };
}

/** Cursor does not say where it starts servers; VS Code does, and fails where a variable has no value. */
function projectWords(agent: McpAgent, isOfUser: boolean): readonly string[] {
  const isNamed = agent === "cursor" || (agent === "vscode" && !isOfUser);
  return isNamed ? ["--project", `\${workspaceFolder}`] : [];
}
