import type { EventEmitter } from "node:events";
import { expect } from "vitest";
import { main } from "../src/cli/main.ts";
import type { CliRun } from "./run-cli.ts";

/** Runs the command line within this process, which takes a fraction of the time. It has no input. */
export async function runMain(args: readonly string[]): Promise<CliRun> {
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
  ];
  const { NO_COLOR, FORCE_COLOR } = process.env;
  Object.assign(process.env, { NO_COLOR: "1" });
  delete process.env.FORCE_COLOR;
  try {
    return { code: await main(args), ...written };
  } finally {
    for (const undo of restore) undo();
    process.exitCode = undefined;
    for (const [name, value] of Object.entries({ NO_COLOR, FORCE_COLOR })) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}

function catchOutput(name: "stdout" | "stderr", take: (text: string) => void): () => void {
  const stream = process[name];
  const write = stream.write;
  stream.write = (chunk: string | Uint8Array) => {
    take(String(chunk));
    return true;
  };
  return () => {
    stream.write = write;
  };
}

/** Takes away what listens when it is called back and did not before. */
function keepListeners(emitter: EventEmitter, event: string): () => void {
  const before = emitter.listeners(event);
  return () => {
    emitter.removeAllListeners(event);
    for (const listener of before) emitter.on(event, listener as () => void);
  };
}

/** Commands on a data folder of their own. */
export function memoryCommands(data: string) {
  const run = (...args: readonly string[]) => runMain([...args, "--data", data]);
  /** What a command that is to work prints with --json. */
  const json = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await run(...args, "--json");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    return JSON.parse(stdout);
  };
  /** Remembers something; its id. */
  const keep = async (...args: readonly string[]): Promise<string> => (await json("remember", ...args)).memory.id;
  return { data, run, json, keep };
}
