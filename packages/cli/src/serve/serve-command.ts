import process from "node:process";
import { fileURLToPath } from "node:url";
import type { ServerOptions } from "@throughline/server";
import { type Command, InvalidArgumentError } from "commander";
import { omitUndefined, type Workspace } from "throughline/internal";
import { readSettings } from "../config/read-settings.ts";
import type { SettingValues } from "../config/settings.ts";
import { type DataOptions, OWNER, withNewData } from "../data/open-data.ts";
import { interruptible } from "../interruption.ts";
import { jsonOption } from "../options.ts";
import { printJson } from "../print-json.ts";
import { projectOf } from "../project.ts";
import { projectFolder } from "../project-folder.ts";
import { modelsFromSettings } from "./models-from-settings.ts";
import { openBrowser } from "./open-browser.ts";

/** The Studio is built beside the bundled command line. */
const STUDIO = fileURLToPath(new URL("studio", import.meta.url));

interface ServeOptions extends DataOptions {
  readonly host?: string;
  readonly port?: number;
  readonly requireToken?: true;
  readonly learnFrom?: readonly string[];
  readonly open?: boolean;
  readonly json?: boolean;
}

export function addServeCommand(program: Command): void {
  program
    .command("serve")
    .summary("start chat and server; so does no command at all")
    .description("start the chat and the server, until Ctrl-C; `throughline` without a command does the same")
    .option("--port <number>", "where it listens, 4870 if nothing is said; 0 takes any free port", port)
    .option("--host <address>", "127.0.0.1 if nothing is said; one that others reach needs a token")
    .option("--require-token", "let nobody in without a token, not even from this machine")
    .option(
      "--learn-from <dir>",
      "a project whose git history tells which files are next; again for more",
      (dir: string, others: readonly string[] = []) => [...others, dir],
    )
    .option("--open", "open it in the browser")
    .addOption(jsonOption())
    .addHelpText("after", AFTERWORD)
    .action((_, command: Command) => serve(command.optsWithGlobals()));
}

const AFTERWORD = `
What can be asked for is at /docs, for agents at /mcp, and for clients of models at /v1.

A model, of any server that speaks as OpenAI's does; the browser never sees the key:
  THROUGHLINE_MODEL_URL   its base URL, such as http://127.0.0.1:11434/v1
  THROUGHLINE_MODEL_KEY   its key, if it wants one
  THROUGHLINE_MODEL       the one model to offer; without it all that it has
For servers that speak as Anthropic's or as Google's Gemini (the latter at /v1beta):
  THROUGHLINE_ANTHROPIC_URL, THROUGHLINE_ANTHROPIC_KEY
  THROUGHLINE_GEMINI_URL, THROUGHLINE_GEMINI_KEY
THROUGHLINE_DATABASE_URL keeps everything in PostgreSQL, for many servers.
\`throughline config\` lists all settings.

Programs that ask for a project by the folder of its repository (X-Throughline-Project)
are told what its history says, if --learn-from names it.

Examples:
  throughline serve --open
  THROUGHLINE_MODEL_URL=http://127.0.0.1:11434/v1 throughline serve --port 5000`;

async function serve(options: ServeOptions): Promise<void> {
  // Loaded here: no other command waits for it.
  const { createServer } = await import("@throughline/server");
  const settings = readSettings(flagsOf(options));
  const workspaces = await workspacesOf(options);
  await interruptible("", async (interruption) => {
    // Who has read the address may stop it at once.
    const stopped = untilStopped(interruption);
    await withNewData(options, async (open) => {
      const { store } = await open();
      const server = await createServer({
        ...serverOptions(settings),
        store,
        workspaces,
        localUser: OWNER,
        studio: STUDIO,
      });
      announce(server.url, options);
      await stopped;
      await server.close();
    });
  });
}

/** Projects on this machine, by the ids that every command gives them. */
async function workspacesOf({ learnFrom = [] }: ServeOptions): Promise<ReadonlyMap<string, Workspace>> {
  const { openWorkspace } = await import("../workspace/workspace.ts");
  const projects = learnFrom.map((dir) => projectOf(projectFolder(dir)));
  return new Map(projects.map(({ id, root }) => [id, openWorkspace(root)]));
}

function flagsOf({ host, port, requireToken }: ServeOptions): SettingValues {
  return omitUndefined({ host, port, require_token: requireToken });
}

function serverOptions(settings: SettingValues): ServerOptions {
  const { host, port, require_token: isTokenRequired, allowed_hosts: allowedHosts, rate_limit: perMinute } = settings;
  const rateLimit = perMinute === undefined ? undefined : { perMinute };
  return {
    ...omitUndefined({ host, port, isTokenRequired, allowedHosts, rateLimit }),
    ...modelsFromSettings(settings),
    logger: { info: () => undefined, warn: (text) => process.stderr.write(`${text}\n`) },
    onError: report,
  };
}

function announce(url: string, { json, open }: ServeOptions): void {
  if (json) process.stdout.write(printJson({ url }));
  else {
    process.stdout.write(`Throughline is at ${url}\n`);
    process.stderr.write("Open it in your browser. Ctrl-C stops it; `throughline --help` lists what else there is.\n");
  }
  if (open) openBrowser(url);
}

/** Ctrl-C, or what a service manager sends. */
function untilStopped(interruption: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    process.once("SIGTERM", resolve);
    interruption.addEventListener("abort", () => resolve());
  });
}

function report(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
}

function port(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > 65_535) throw new InvalidArgumentError("It takes a number from 0 to 65535.");
  return value;
}
