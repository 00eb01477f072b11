import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Page } from "playwright-core";
import { storeMany } from "../../apps/studio/e2e/memory-place.ts";
import { printTable } from "../print-table.ts";
import { longHistory } from "./generate-histories.ts";
import { CLI, longestTask, openBrowser, startServer } from "./traced-page.ts";

/** Tokens of the recorded session, and milliseconds for which the page may be blocked. */
const TOKENS = 1_000_000;
const MAX_BLOCKED = 100;

interface Step {
  readonly name: string;
  readonly run: (page: Page) => Promise<unknown>;
}

/** Opens a recorded session of a million tokens and a list of memories in Chromium, and measures each step. */
export async function measureLargeStores(memories: number, cli = CLI): Promise<number> {
  const home = await mkdtemp(path.join(tmpdir(), "throughline-large-"));
  try {
    for (const [file, content] of longHistory(TOKENS)) {
      await mkdir(path.dirname(path.join(home, file)), { recursive: true });
      await writeFile(path.join(home, file), content);
    }
    const server = await startServer(cli, home);
    try {
      await storeMany(server.url, memories);
      return await measureSteps(server.url, memories);
    } finally {
      server.stop();
    }
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

async function measureSteps(url: string, memories: number): Promise<number> {
  const browser = await openBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1_280, height: 800 } });
    page.setDefaultTimeout(600_000);
    const rows: (string | number)[][] = [];
    let worst = 0;
    for (const { name, run } of steps(url, memories)) {
      await browser.startTracing(page, { categories: ["toplevel", "devtools.timeline"] });
      const started = performance.now();
      await run(page);
      const wall = Math.round(performance.now() - started);
      const task = longestTask(await browser.stopTracing());
      worst = Math.max(worst, task.cpu);
      rows.push([name, wall, task.wall, task.cpu]);
    }
    printTable(["step", "wall ms", "longest task, wall ms", "longest task, CPU ms"], rows);
    return worst <= MAX_BLOCKED ? 0 : 1;
  } finally {
    await browser.close();
  }
}

function steps(url: string, memories: number): readonly Step[] {
  const list = (page: Page) => page.getByRole("listbox", { name: "Memories" });
  return [
    {
      name: "open the session",
      run: async (page) => {
        await page.goto(`${url}/#/sessions`);
        await page.getByText(/the agent compacted/).waitFor();
      },
    },
    { name: "open its requests", run: (page) => page.getByRole("tab", { name: "Requests" }).click() },
    {
      name: "open its largest window",
      run: async (page) => {
        await page.getByRole("slider").press("End");
        await page.getByText(/in messages \+/).waitFor();
      },
    },
    { name: "scroll through the window", run: scroll },
    {
      name: "list the memories",
      run: async (page) => {
        await page.goto(`${url}/#/memories`);
        await page.getByText(`${memories.toLocaleString("en-US")} memories`, { exact: true }).waitFor();
        await list(page).getByRole("option").first().waitFor();
      },
    },
    {
      name: "jump to the last memory",
      run: async (page) => {
        await list(page).focus();
        await page.keyboard.press("End");
        await list(page)
          .getByText(`Crate ${memories - 1} holds`, { exact: false })
          .waitFor();
      },
    },
    {
      name: "search the memories",
      run: async (page) => {
        await page.keyboard.press("/");
        await page.keyboard.type("machine 512");
        await list(page)
          .getByText(/matches/)
          .first()
          .waitFor();
      },
    },
    {
      name: "audit the memories",
      run: async (page) => {
        await page.goto(`${url}/#/memories/audit`);
        await page.getByText(/memories checked/).waitFor();
      },
    },
  ];
}

async function scroll(page: Page): Promise<void> {
  await page.mouse.move(450, 650);
  for (let i = 0; i < 20; i += 1) await page.mouse.wheel(0, 600);
}
