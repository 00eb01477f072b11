import type { EventEmitter } from "node:events";
import { tmpdir } from "node:os";
import { Readable } from "node:stream";
import { expect } from "vitest";
import { main } from "../src/main.ts";
import { type CliOptions, type CliRun, PLAIN_ENVIRONMENT } from "./run-cli.ts";

/** Runs the command line in this process, which is much faster than starting a new one. */
export async function runMain(
  args: readonly string[],
  { input, env = {}, cwd = tmpdir() }: Pick<CliOptions, "input" | "env" | "cwd"> = {},
): Promise<CliRun> {
  const written = { stdout: "", stderr: "" };
  const restore = [
    catchOutput("stdout", (text) => {
      written.stdout += text;
    }),
    catchOutput("stderr", (text) => {
      written.stderr += text;
    }),
    keepListeners(process, "SIGINT"),
    keepListeners(process.stdout, "error"),
    ...(input === undefined ? [] : [replaceInput(input)]),
    endTimers(),
    keepConsole(),
    enterFolder(cwd),
    keepUmask(),
    setEnvironment({ ...PLAIN_ENVIRONMENT, FORCE_COLOR: undefined, ...env }),
  ];
  try {
    return { code: await main(args), ...written };
  } finally {
    for (const undo of restore) undo();
    process.exitCode = undefined;
  }
}

/** Clears the unreferenced timers created since. They would have ended with the command's own process. */
function endTimers(): () => void {
  const { setTimeout } = globalThis;
  const timers: NodeJS.Timeout[] = [];
  const recording = (...args: Parameters<typeof setTimeout>) => {
    const timer = setTimeout(...args);
    timers.push(timer);
    return timer;
  };
  globalThis.setTimeout = Object.assign(recording, setTimeout);
  return () => {
    globalThis.setTimeout = setTimeout;
    for (const timer of timers) if (!timer.hasRef()) clearTimeout(timer);
  };
}

/** Default: outside of any repository, so commands work on all projects. */
function enterFolder(folder: string): () => void {
  const { cwd } = process;
  process.cwd = () => folder;
  return () => {
    process.cwd = cwd;
  };
}

/** Restores the console if the command replaced it. */
function keepConsole(): () => void {
  const { console } = globalThis;
  return () => {
    globalThis.console = console;
  };
}

/** Commands that write data set a strict umask. Later tests need the default. */
function keepUmask(): () => void {
  const before = process.umask();
  return () => {
    process.umask(before);
  };
}

function setEnvironment(wanted: Readonly<Record<string, string | undefined>>): () => void {
  const before = Object.fromEntries(Object.keys(wanted).map((name) => [name, process.env[name]]));
  const set = (values: typeof wanted) => {
    for (const [name, value] of Object.entries(values)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  };
  set(wanted);
  return () => set(before);
}

function replaceInput(text: string): () => void {
  const before = Object.getOwnPropertyDescriptor(process, "stdin");
  Object.defineProperty(process, "stdin", { configurable: true, value: Readable.from([Buffer.from(text)]) });
  return () => {
    if (before !== undefined) Object.defineProperty(process, "stdin", before);
  };
}

function catchOutput(name: "stdout" | "stderr", take: (text: string) => void): () => void {
  const stream = process[name];
  const write = stream.write;
  stream.write = (chunk: string | Uint8Array, ...rest: readonly unknown[]) => {
    take(String(chunk));
    const whenWritten = rest.at(-1);
    if (typeof whenWritten === "function") queueMicrotask(() => whenWritten());
    return true;
  };
  return () => {
    stream.write = write;
  };
}

/** Removes listeners that the command added. */
function keepListeners(emitter: EventEmitter, event: string): () => void {
  const before = emitter.listeners(event);
  return () => {
    emitter.removeAllListeners(event);
    for (const listener of before) emitter.on(event, listener as () => void);
  };
}

/** Commands on a separate data folder. */
export function memoryCommands(data: string) {
  const run = (...args: readonly string[]) => runMain([...args, "--data", data]);
  /** Parsed `--json` output of a command that must succeed. */
  const json = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await run(...args, "--json");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    return JSON.parse(stdout);
  };
  /** Saves a memory and returns its id. */
  const keep = async (...args: readonly string[]): Promise<string> => (await json("remember", ...args)).memory.id;
  return { data, run, json, keep };
}
