import { spawn } from "node:child_process";
import path from "node:path";
import { createInterface } from "node:readline";
import { type Browser, chromium } from "playwright-core";
import { ensureProgram, programs } from "../../tools/ensure/ensure-program.mjs";

export const CLI = path.join(import.meta.dirname, "..", "..", "packages", "cli", "dist", "bin.js");

/** Starts the command line with an own home folder. */
export async function startServer(cli: string, home: string) {
  const env = { PATH: process.env.PATH, HOME: home, USERPROFILE: home };
  const child = spawn(process.execPath, [cli, "serve", "--port", "0", "--data", path.join(home, "data")], { env });
  for await (const line of createInterface({ input: child.stdout })) {
    const [url] = /http:\/\/\S+/.exec(line) ?? [];
    if (url !== undefined) return { url, pid: child.pid ?? 0, stop: () => child.kill() };
  }
  throw new Error("The server did not start.");
}

export async function openBrowser(): Promise<Browser> {
  const executablePath = await ensureProgram(programs.chromium);
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly dur?: number;
  /** CPU time in microseconds. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** The longest task of the main thread of a page, by CPU time and by the clock. */
export function longestTask(trace: Buffer): { readonly wall: number; readonly cpu: number } {
  const { traceEvents } = JSON.parse(trace.toString()) as { readonly traceEvents: readonly TraceEvent[] };
  const threads = new Set(
    traceEvents
      .filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain")
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const tasks = traceEvents.filter(({ name, pid, tid }) => name.endsWith("RunTask") && threads.has(`${pid} ${tid}`));
  const longest = (key: "dur" | "tdur") => Math.round(Math.max(0, ...tasks.map((task) => task[key] ?? 0)) / 1_000);
  return { wall: longest("dur"), cpu: longest("tdur") };
}
