import { spawn } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { HistorySource, ServerOptions } from "@throughline/server";
import { type Command, InvalidArgumentError } from "commander";
import { ModelError } from "throughline";
import type { Workspace } from "throughline/internal/engine";
import { omitUndefined } from "throughline/internal/util";
import type { SessionMeta, TranscriptEvent } from "throughline/transcript";
import { type Environment, environment } from "../config/environment.ts";
import { type ExcludedFolders, excludedFolders } from "../config/excluded-folders.ts";
import { projectFolder, projectOf } from "../config/project.ts";
import { readSettings } from "../config/read-settings.ts";
import type { SettingValues } from "../config/settings.ts";
import { configuredEmbedder, configuredModel, findModelName, hostOf, refuseWithout } from "../data/inference.ts";
import { type CommandOptions, LOCAL_USER, withNewData } from "../data/open-data.ts";
import { noteRun } from "../hook/agent-hooks.ts";
import { findHistories, HISTORY_AGENTS } from "../import/find-histories.ts";
import { sessionFolder } from "../import/import-transcript.ts";
import { interruptible } from "../terminal/interruption.ts";
import { jsonOption } from "../terminal/options.ts";
import { printableLine, printJson } from "../terminal/print-values.ts";
import { Progress } from "../terminal/progress.ts";
import { openInput, readEvents } from "../transcripts/read-transcript.ts";
import { allowedWorkspace } from "../workspace/allowed-workspace.ts";
import { REPORT_PAGE } from "./inspect-command.ts";

/** The Studio is built beside the bundled command line. */
const STUDIO = fileURLToPath(new URL("studio", import.meta.url));

interface ServeOptions extends CommandOptions {
  readonly host?: string;
  readonly port?: number;
  readonly requireToken?: true;
  readonly learnFrom?: readonly string[];
  readonly open?: boolean;
}

const HELP_FOOTER = `
The API is documented at /docs. MCP is at /mcp, the model proxy at /v1.

To use a model from any OpenAI-compatible API (the browser never sees the key):
  THROUGHLINE_MODEL_URL   base URL, such as http://127.0.0.1:11434/v1
  THROUGHLINE_MODEL_KEY   API key, if required
  THROUGHLINE_MODEL       the only model to offer (default: all)
The same model extracts facts, judges contradictions and writes summaries.
Without THROUGHLINE_MODEL, it is the first that the URL lists. If it fails,
rules do the work.
For search by an embedding model of an OpenAI-compatible API:
  THROUGHLINE_EMBEDDER_URL, THROUGHLINE_EMBEDDER_KEY, THROUGHLINE_EMBEDDER_MODEL
For Anthropic-compatible and Gemini-compatible APIs (Gemini at /v1beta):
  THROUGHLINE_ANTHROPIC_URL, THROUGHLINE_ANTHROPIC_KEY
  THROUGHLINE_GEMINI_URL, THROUGHLINE_GEMINI_KEY
THROUGHLINE_DATABASE_URL stores everything in PostgreSQL, which several servers
can share. \`throughline config\` lists all settings.

--learn-from reads the git history of a repository. Requests that name its
folder in X-Throughline-Project then get predictions from it.

Examples:
  throughline serve --open
  THROUGHLINE_MODEL_URL=http://127.0.0.1:11434/v1 throughline serve --port 5000`;

export function addServeCommand(program: Command): void {
  program
    .command("serve")
    .summary("Start the chat and server (the default command)")
    .description("Start the chat and the server, until Ctrl-C. `throughline` without a command does the same.")
    .option("--port <number>", "Port to listen on (default 4870; 0 picks a free port)", port)
    .option("--host <address>", "Address to listen on (default 127.0.0.1; other addresses require a token)")
    .option("--require-token", "Require a token for every request, also from this machine")
    .option(
      "--learn-from <folder>",
      "Project folder whose git history predicts the next files; repeatable",
      (dir: string, others: readonly string[] = []) => [...others, dir],
    )
    .option("--open", "Open the chat in the browser")
    .addOption(jsonOption())
    .addHelpText("after", HELP_FOOTER)
    .action((_, command: Command) => serve(command.optsWithGlobals()));
}

async function serve(options: ServeOptions): Promise<void> {
  // Imported lazily, so that other commands start faster.
  const { createServer } = await import("@throughline/server");
  const settings = readSettings(flagsOf(options));
  const workspaces = await workspacesOf(options);
  await interruptible("", async (interruption) => {
    // A caller may stop the server as soon as it has read the address.
    const stopped = untilStopped(interruption);
    // The server makes missing vectors itself.
    await withNewData({ ...options, reembeds: true }, async (open) => {
      const { store } = await open();
      const server = await createServer({
        ...serverOptions(settings),
        store,
        workspaces,
        localUser: LOCAL_USER,
        studio: STUDIO,
        histories: historySource(),
        reportPage: REPORT_PAGE,
        onProxyTurn: () => void noteRun("proxy", options),
      });
      announce(server.url, options);
      const end = new AbortController();
      const modelCheck = printModel(settings, end.signal);
      await stopped;
      end.abort();
      await Promise.all([modelCheck, server.close()]);
    });
  });
}

/** Projects on this machine that are not excluded, by the ids that all commands use. */
async function workspacesOf({ learnFrom = [] }: ServeOptions): Promise<ReadonlyMap<string, Workspace>> {
  const projects = learnFrom.map((dir) => projectOf(projectFolder(dir)));
  const opened = await Promise.all(projects.map(async ({ id, root }) => [id, await allowedWorkspace(root)] as const));
  return new Map(opened.flatMap(([id, workspace]) => (workspace === undefined ? [] : [[id, workspace] as const])));
}

function flagsOf({ host, port, requireToken }: ServeOptions): SettingValues {
  return omitUndefined({ host, port, require_token: requireToken });
}

/** Reports the model in use, or the reason that there is none. Nothing waits for it, because the endpoint may hang. */
async function printModel(settings: SettingValues, end: AbortSignal): Promise<void> {
  const { model_url: url, model } = settings;
  if (url === undefined) return;
  try {
    const name = printableLine(await findModelName(settings, end));
    const why = model === undefined ? ", the first that it lists; THROUGHLINE_MODEL selects another" : "";
    process.stderr.write(`Model for facts, contradictions and summaries: ${name} at ${hostOf(url)}${why}.\n`);
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    if (end.aborted) return;
    process.stderr.write(
      `No model for facts and summaries: ${printableLine(error.summary.replace(/\.$/, ""))}. Rules do the work until it answers.\n`,
    );
  }
}

function serverOptions(settings: SettingValues): ServerOptions {
  const { host, port, require_token: isTokenRequired, allowed_hosts: allowedHosts, rate_limit: perMinute } = settings;
  const rateLimit = perMinute === undefined ? undefined : { perMinute };
  const { max_index_mb: megabytes, search_workers: searchWorkers } = settings;
  const maxIndexBytes = megabytes === undefined ? undefined : megabytes * 1024 ** 2;
  return {
    ...omitUndefined({ host, port, isTokenRequired, allowedHosts, rateLimit, maxIndexBytes, searchWorkers }),
    ...modelsFromSettings(settings),
    ...omitUndefined({ embedder: configuredEmbedder(settings) }),
    logger: { info: () => undefined, warn: (text) => process.stderr.write(`${text}\n`) },
    onError: report,
  };
}

function announce(url: string, { json, open }: ServeOptions): void {
  if (json) process.stdout.write(printJson({ url }));
  else {
    process.stdout.write(`Throughline is at ${url}\n`);
    process.stderr.write("Open it in your browser. Press Ctrl-C to stop. `throughline --help` lists all commands.\n");
  }
  if (open) openBrowser(url);
}

/** Resolves on Ctrl-C, or on the signal of a service manager. */
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
  if (!/^\d+$/.test(text) || value > 65_535) throw new InvalidArgumentError("Expected a port from 0 to 65535.");
  return value;
}

/** The models to offer, and the one that extracts facts and writes summaries. */
function modelsFromSettings(settings: SettingValues): Pick<ServerOptions, "upstreams" | "model"> {
  refuseWithout(settings, "model_url", ["model_key", "model"]);
  refuseWithout(settings, "anthropic_url", ["anthropic_key"]);
  refuseWithout(settings, "gemini_url", ["gemini_key"]);
  const upstream = (url: string | undefined, key: string | undefined, model?: string) =>
    url === undefined ? undefined : omitUndefined({ url, key, model });
  const { model_url, model_key, model } = settings;
  const upstreams = omitUndefined({
    openai: upstream(model_url, model_key, model),
    anthropic: upstream(settings.anthropic_url, settings.anthropic_key),
    gemini: upstream(settings.gemini_url, settings.gemini_key),
  });
  return { upstreams, ...(model_url !== undefined && omitUndefined({ model: configuredModel(settings) })) };
}

/** The command that opens an address in the browser of a platform. */
export function browserCommand(url: string, platform: NodeJS.Platform): readonly [command: string, ...args: string[]] {
  if (platform === "darwin") return ["open", url];
  // `start` takes its first quoted argument as a title, and cmd ends the command at `&`.
  if (platform === "win32") return ["cmd", "/c", "start", "", url.replaceAll("&", "^&")];
  return ["xdg-open", url];
}

/** Opens an address in the browser, or prints a hint if there is none. */
function openBrowser(url: string): void {
  const [command, ...args] = browserCommand(url, process.platform);
  const say = () => process.stderr.write(`Could not open a browser. Open ${url} yourself.\n`);
  const child = spawn(command, args, { stdio: "ignore", detached: true, windowsHide: true });
  child.on("error", say);
  child.on("exit", (code) => {
    if (code !== 0) say();
  });
  child.unref();
}

/** The histories of all agents on this machine. Only files that were listed are read, without excluded folders. */
export function historySource(system: Environment = environment()): HistorySource {
  const listed = new Set<string>();
  return {
    list: async () => {
      const histories = await findHistories(HISTORY_AGENTS, Date.now(), system);
      const files = histories.flatMap(({ agent, files: own }) =>
        own.filter(({ isWhole }) => isWhole).map(({ file, bytes, changedAt }) => ({ agent, file, bytes, changedAt })),
      );
      for (const { file } of files) listed.add(file);
      return files;
    },
    async *read(file) {
      if (!listed.has(file)) throw new TypeError(`Not a history file: ${file}`);
      const { read } = await openInput(file);
      yield* withoutExcluded(readEvents(file, read(new Progress("", 0)), undefined), excludedFolders(system));
    },
  };
}

/** Leaves out sessions of excluded folders, and messages that were recorded in one. */
async function* withoutExcluded(
  events: AsyncIterable<TranscriptEvent>,
  isExcluded: ExcludedFolders,
): AsyncGenerator<TranscriptEvent> {
  const metas = new Map<string, SessionMeta>();
  const isIn = (sessionId: string) => {
    const folder = sessionFolder(metas.get(sessionId) ?? {}, metas);
    return folder !== undefined && isExcluded(folder);
  };
  for await (const event of events) {
    if (event.type === "session") metas.set(event.id, event.meta);
    if (event.type === "meta") metas.set(event.sessionId, { ...event.meta, ...metas.get(event.sessionId) });
    if ("sessionId" in event && isIn(event.sessionId)) continue;
    if (event.type === "message" && event.folders?.some(isExcluded)) continue;
    yield event;
  }
}
