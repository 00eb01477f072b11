import { Console } from "node:console";
import { stat } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { setTimeout } from "node:timers/promises";
import type { ProjectAccess } from "@throughline/server/mcp";
import type { Command } from "commander";
import type { Throughline } from "throughline";
import { undoImport } from "throughline/internal/engine";
import { messageOf, omitUndefined } from "throughline/internal/util";
import packageJson from "../../package.json" with { type: "json" };
import type { Project } from "../config/project.ts";
import { type DataOptions, openAllProjects, type StoredData, throughlineOf, withNewData } from "../data/open-data.ts";
import { noteRun } from "../hook/agent-hooks.ts";
import { projectAtWork } from "../hook/hook-input.ts";
import type { Tool } from "../init/agent-tool.ts";
import { interruptible } from "../terminal/interruption.ts";
import { projectOption } from "../terminal/options.ts";
import { printableLine } from "../terminal/print-values.ts";
import { allowedWorkspace } from "../workspace/allowed-workspace.ts";
import { undoDeps } from "./undo-command.ts";

interface McpOptions extends DataOptions {
  readonly readOnly?: boolean;
}

/**
 * Milliseconds for outstanding answers after the agent closed the input, or after a stop signal. Agents kill the
 * process after about four seconds.
 */
const TIMEOUT_MS = 3_000;
/** Milliseconds to read the history before the first answer. */
const HEAD_START = 800;

const HELP_FOOTER = `
Agents start this command; you don't. \`throughline init AGENT\` sets it up.
For any other MCP client, use this configuration:
  { "mcpServers": {
      "throughline": { "command": "throughline", "args": ["mcp"] } } }
Tools: assemble_context, recall, expand, remember, forget, contradictions,
resolve_contradiction, consolidate, projects, undo_import. Several servers can
use the same data at once.

Examples:
  claude mcp add throughline -- throughline mcp
  codex mcp add throughline -- throughline mcp --read-only`;

export function addMcpCommand(program: Command): void {
  program
    .command("mcp")
    .summary("Serve MCP")
    .description("Serve the Model Context Protocol on standard input and output, until the client closes them.")
    .addOption(projectOption("Folder or project name (default: the repository or folder it is started in)"))
    .option("--read-only", "Offer only tools that change nothing")
    .addHelpText("after", HELP_FOOTER)
    .action((_, command: Command) => mcp(command.optsWithGlobals()));
}

async function mcp(options: McpOptions): Promise<void> {
  // Standard output is reserved for the protocol, also for libraries that log.
  globalThis.console = new Console(process.stderr);
  try {
    const { id: project, root } = projectFor(options);
    await withNewData({ ...options, project, ...(await onDisk(root)) }, async (open) => {
      const data = await open();
      const { throughline } = data;
      const access = projectAccess(data);
      // Reports unreadable data on stderr here, and not to the agent's model.
      await throughline.memory.list({ limit: 1 });
      await noteRun("mcp", options);
      const end = new AbortController();
      // Reads the history, for predictions.
      const learning = throughline.context.learnHistory({ signal: end.signal }).catch((error: unknown) => {
        if (!end.signal.aborted) report(error);
      });
      try {
        // A short history is read before the first request; a longer one in the background.
        await Promise.race([
          learning,
          setTimeout(HEAD_START, undefined, { signal: end.signal }).catch(() => undefined),
        ]);
        await interruptible("", (interruption) => serve(throughline, { ...options, access }, interruption));
      } finally {
        end.abort();
        await learning;
      }
    });
  } finally {
    // The agent may keep standard input open.
    process.stdin.destroy();
  }
}

/**
 * The same project as for hooks, so that both see the same memories. Some agents pass a variable on that they do not
 * expand.
 */
function projectFor({ project, projectRoot = project }: McpOptions): Pick<Project, "id" | "root"> {
  const isNamed = project !== undefined && projectRoot !== undefined && !/^\$\{.*\}$/.test(project);
  return isNamed ? { id: project, root: projectRoot } : projectAtWork({}, process.env);
}

/**
 * The folder of a project, if its id is a path and the folder is not excluded. A named project may have many folders,
 * which share its memories.
 */
async function onDisk(root: string): Promise<Pick<DataOptions, "workspace">> {
  const found = await stat(root).catch(() => undefined);
  if (!path.isAbsolute(root) || !found?.isDirectory()) return {};
  return omitUndefined({ workspace: await allowedWorkspace(root) });
}

/** Other projects, and imports of any project. */
function projectAccess(data: StoredData): ProjectAccess {
  return {
    listProjects: async () => (await openAllProjects(data)).memory.projects(),
    openProject: (projectId) => throughlineOf(data, projectId),
    undoImport: (id, dryRun) => undoImport(undoDeps(data), id, { dryRun }),
  };
}

/** Names that agents give when they connect. */
const CLIENT_NAMES: readonly (readonly [Tool, RegExp])[] = [
  ["claude-code", /^claude-code/i],
  ["codex", /^codex/i],
  ["opencode", /^opencode/i],
  ["gemini-cli", /^gemini-cli/i],
  ["cursor", /^cursor/i],
  ["vscode", /^Visual Studio Code/],
];

async function serve(
  throughline: Throughline,
  { access, ...options }: McpOptions & { readonly access: ProjectAccess },
  interruption: AbortSignal,
): Promise<void> {
  // Imported lazily, so that other commands start faster.
  const [{ serveStdio }, { createMcpServer }, { AnsweringTransport }] = await Promise.all([
    import("@modelcontextprotocol/server/stdio"),
    import("@throughline/server/mcp"),
    import("./answering-transport.ts"),
  ]);
  const transport = new AnsweringTransport(process.stdin, process.stdout, TIMEOUT_MS);
  let noted: Promise<void> | undefined;
  transport.onclient = (name) => {
    const [agent] = CLIENT_NAMES.find(([, pattern]) => pattern.test(name)) ?? [];
    if (agent !== undefined) noted = noteRun(`${agent}-mcp`, options);
  };
  const settings = {
    ...access,
    throughline,
    canWrite: !options.readOnly,
    version: packageJson.version,
    onError: report,
  };
  process.once("SIGTERM", transport.end);
  interruption.addEventListener("abort", transport.end);
  serveStdio(() => createMcpServer(settings), { transport, onerror: report });
  await transport.closed;
  await noted;
  process.off("SIGTERM", transport.end);
}

function report(error: unknown): void {
  process.stderr.write(`throughline mcp: ${printableLine(messageOf(error))}\n`);
}
