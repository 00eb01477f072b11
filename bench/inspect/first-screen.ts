import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { chromium, type Page } from "playwright-core";
import { printTable } from "../print-table.ts";
import { generateHistories } from "./generate-histories.ts";

const CLI = path.join(import.meta.dirname, "..", "..", "packages", "cli", "dist", "bin.js");
/** Milliseconds for the first figure and the first screen, and for which the page may be blocked. */
const LIMITS = { figure: 10_000, screen: 15_000, blocked: 100 } as const;

/**
 * Generates sessions of five agents in an empty home folder, starts the command line there, and opens the sessions in
 * Chromium. On a machine with other work, compare the CPU times.
 */
export async function measureFirstScreen(count: number, cli = CLI): Promise<number> {
  const home = await mkdtemp(path.join(tmpdir(), "throughline-inspect-"));
  try {
    await generateHistories(home, count);
    const started = performance.now();
    const server = await startServer(cli, home);
    try {
      const times = await openSessions(server, started);
      printTable(
        ["measure", "wall ms", "CPU ms", "limit ms"],
        [
          ["first figure (CPU of the server)", times.figure.wall, times.figure.cpu, LIMITS.figure],
          ["first screen (CPU of the server)", times.screen.wall, times.screen.cpu, LIMITS.screen],
          ["longest task of the page", times.task.wall, times.task.cpu, LIMITS.blocked],
        ],
      );
      const isInTime = times.figure.wall <= LIMITS.figure && times.screen.wall <= LIMITS.screen;
      return isInTime && times.task.cpu <= LIMITS.blocked ? 0 : 1;
    } finally {
      server.stop();
    }
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

async function startServer(cli: string, home: string) {
  const env = { PATH: process.env.PATH, HOME: home, USERPROFILE: home };
  const child = spawn(process.execPath, [cli, "serve", "--port", "0", "--data", path.join(home, "data")], { env });
  for await (const line of createInterface({ input: child.stdout })) {
    const [url] = /http:\/\/\S+/.exec(line) ?? [];
    if (url !== undefined) return { url, pid: child.pid ?? 0, stop: () => child.kill() };
  }
  throw new Error("The server did not start.");
}

interface Server {
  readonly url: string;
  readonly pid: number;
}

async function openSessions({ url, pid }: Server, started: number) {
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  try {
    const page = await browser.newPage({ viewport: { width: 1_280, height: 800 } });
    page.setDefaultTimeout(600_000);
    await browser.startTracing(page, { categories: ["toplevel", "devtools.timeline"] });
    const since = async () => ({ wall: Math.round(performance.now() - started), cpu: await cpuOf(pid) });
    await page.goto(`${url}/#/sessions`);
    await page
      .getByText(/^\d+ (?:compactions?|calls?)/)
      .first()
      .waitFor();
    const figure = await since();
    await page.getByText(/the agent compacted/).waitFor();
    const screen = await since();
    await scroll(page);
    await page.getByRole("tab", { name: "Requests" }).click();
    await page.getByRole("slider").press("Home");
    return { figure, screen, task: longestTask(await browser.stopTracing()) };
  } finally {
    await browser.close();
  }
}

/** CPU time of a process in milliseconds; 0 if the system does not report it. */
async function cpuOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  const [user = 0, system = 0] = text.slice(text.lastIndexOf(")")).split(" ").slice(12, 14).map(Number);
  return (user + system) * 10;
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
function longestTask(trace: Buffer): { readonly wall: number; readonly cpu: number } {
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

/** Scrolls through the list of sessions. */
async function scroll(page: Page): Promise<void> {
  await page.mouse.move(120, 500);
  for (let i = 0; i < 20; i += 1) await page.mouse.wheel(0, 600);
}
