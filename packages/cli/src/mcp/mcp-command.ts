import { Console } from "node:console";
import { stat } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { setTimeout } from "node:timers/promises";
import type { Command } from "commander";
import type { Throughline } from "throughline";
import packageJson from "../../package.json" with { type: "json" };
import { type DataOptions, withNewData } from "../data/open-data.ts";
import { projectAtWork } from "../hook/hook-input.ts";
import { interruptible } from "../interruption.ts";
import { projectOption } from "../options.ts";
import { printableLine } from "../printable.ts";
import type { Project } from "../project.ts";

interface McpOptions extends DataOptions {
  readonly readOnly?: boolean;
}

/**
 * Milliseconds in which what was asked is still answered once the agent has gone, or once it is to stop. Agents wait for
 * about four seconds before they end us by force.
 */
const PATIENCE = 3_000;
/** Milliseconds that the history has before the agent is answered. */
const HEAD_START = 800;

export function addMcpCommand(program: Command): void {
  program
    .command("mcp")
    .summary("speak MCP")
    .description("speak the Model Context Protocol on standard input and output, until the agent closes them")
    .addOption(projectOption("a folder or a name (default: the repository or folder it is started in)"))
    .option("--read-only", "offer no tool that changes anything")
    .addHelpText("after", AFTERWORD)
    .action((_, command: Command) => mcp(command.optsWithGlobals()));
}

const AFTERWORD = `
It is started by an agent, not by hand; \`throughline init cursor\` or \`init vscode\` tell
theirs to. For another one, this is its configuration:
  { "mcpServers": { "throughline": { "command": "throughline", "args": ["mcp"] } } }
Tools: assemble_context, recall, expand, remember, forget, contradictions,
resolve_contradiction, consolidate. Several may run on the same data at once.

Examples:
  claude mcp add throughline -- throughline mcp
  codex mcp add throughline -- throughline mcp --read-only`;

async function mcp(options: McpOptions): Promise<void> {
  // Only the protocol may be on standard output, whatever a library has to say.
  globalThis.console = new Console(process.stderr);
  try {
    const { id: project, root } = projectFor(options);
    await withNewData({ ...options, project, ...(await onDisk(root)) }, async (open) => {
      const { throughline } = await open();
      // What keeps the data from being read is said here, and not to the agent's model.
      await throughline.memory.list({ limit: 1 });
      const end = new AbortController();
      // What changed together tells what will be needed.
      const learning = throughline.context.learnHistory({ signal: end.signal }).catch((error: unknown) => {
        if (!end.signal.aborted) report(error);
      });
      try {
        // A history of some length is read before anybody asks; one that takes longer is read meanwhile.
        await Promise.race([
          learning,
          setTimeout(HEAD_START, undefined, { signal: end.signal }).catch(() => undefined),
        ]);
        await interruptible("", (interruption) => serve(throughline, options, interruption));
      } finally {
        end.abort();
        await learning;
      }
    });
  } finally {
    // An agent that keeps it open does not keep us.
    process.stdin.destroy();
  }
}

/** As hooks have it, so that both see the same memories. Some agents give a variable on that they do not know. */
function projectFor({ project, projectRoot = project }: McpOptions): Project {
  const isNamed = project !== undefined && projectRoot !== undefined && !/^\$\{.*\}$/.test(project);
  return isNamed ? { id: project, root: projectRoot } : projectAtWork({}, process.env);
}

/** What is on disk of a project that is a folder. One by another name may have many, and what is learnt of it is shared. */
async function onDisk(root: string): Promise<Pick<DataOptions, "workspace">> {
  const found = await stat(root).catch(() => undefined);
  if (!path.isAbsolute(root) || !found?.isDirectory()) return {};
  const { openWorkspace } = await import("../workspace/workspace.ts");
  return { workspace: openWorkspace(root) };
}

async function serve(throughline: Throughline, { readOnly }: McpOptions, interruption: AbortSignal): Promise<void> {
  // Loaded here: no other command waits for it.
  const [{ serveStdio }, { createMcpServer }, { AnsweringTransport }] = await Promise.all([
    import("@modelcontextprotocol/server/stdio"),
    import("@throughline/server/mcp"),
    import("./answering-transport.ts"),
  ]);
  const transport = new AnsweringTransport(process.stdin, process.stdout, PATIENCE);
  const settings = { throughline, canWrite: !readOnly, version: packageJson.version, onError: report };
  process.once("SIGTERM", transport.end);
  interruption.addEventListener("abort", transport.end);
  serveStdio(() => createMcpServer(settings), { transport, onerror: report });
  await transport.closed;
  process.off("SIGTERM", transport.end);
}

function report(error: unknown): void {
  process.stderr.write(`throughline mcp: ${printableLine(error instanceof Error ? error.message : String(error))}\n`);
}
