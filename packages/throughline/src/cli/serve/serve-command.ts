import process from "node:process";
import { type Command, InvalidArgumentError } from "commander";
import { interruptible } from "../interruption.ts";
import { jsonOption } from "../options.ts";
import { printJson } from "../print-json.ts";
import { modelFromEnvironment } from "./model-from-environment.ts";
import { openBrowser } from "./open-browser.ts";

interface ServeOptions {
  readonly host: string;
  readonly port: number;
  readonly open?: boolean;
  readonly json?: boolean;
}

export function addServeCommand(program: Command): void {
  program
    .command("serve")
    .summary("start the chat (also without any command)")
    .description("start the chat, for this machine alone, until Ctrl-C; `throughline` without a command does the same")
    .option("--port <number>", "where it listens; 0 takes any free port", port, 4870)
    .option("--host <address>", "another loopback address, such as ::1", "127.0.0.1")
    .option("--open", "open it in the browser")
    .addOption(jsonOption())
    .addHelpText("after", AFTERWORD)
    .action((options: ServeOptions) => serve(options));
}

const AFTERWORD = `
A model for the chat, of any server that speaks as OpenAI's does; the browser never sees the key:
  THROUGHLINE_MODEL_URL   its base URL, such as http://127.0.0.1:11434/v1
  THROUGHLINE_MODEL_KEY   its key, if it wants one
  THROUGHLINE_MODEL       the one model to offer; without it all that it has

Examples:
  throughline serve --open
  THROUGHLINE_MODEL_URL=http://127.0.0.1:11434/v1 throughline serve --port 5000`;

async function serve(options: ServeOptions): Promise<void> {
  // Loaded here: no other command waits for it.
  const { createServer } = await import("../../server/server.ts");
  const { host, port } = options;
  await interruptible("", async (interruption) => {
    // Who has read the address may stop it at once.
    const stopped = untilStopped(interruption);
    const server = await createServer({ host, port, ...modelFromEnvironment(process.env), onError: report });
    announce(server.url, options);
    await stopped;
    await server.close();
  });
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
