import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Page } from "playwright-core";
import { printTable } from "../print-table.ts";
import { generateHistories } from "./generate-histories.ts";
import { CLI, longestTask, openBrowser, startServer } from "./traced-page.ts";

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

async function openSessions({ url, pid }: { readonly url: string; readonly pid: number }, started: number) {
  const browser = await openBrowser();
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

/** Scrolls through the list of sessions. */
async function scroll(page: Page): Promise<void> {
  await page.mouse.move(120, 500);
  for (let i = 0; i < 20; i += 1) await page.mouse.wheel(0, 600);
}
