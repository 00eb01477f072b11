import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium } from "playwright-core";
import { ensureProgram, programs } from "../../../../tools/ensure-program.mjs";

/** How long a test may wait for a browser: a machine under load takes its time. */
export const START_TIME = 120_000;

/** Parts of Chromium's own window, which nobody sees and which take longer to open than the page. */
const UNSEEN = ["WebUIOmniboxPopup", "WebUIOmniboxAimPopup"];
/** What Playwright turns off as well, and would stay on: a second list replaces the first. */
const UNWANTED = ["HttpsUpgrades", "MediaRouter", "OptimizationHints", "PaintHolding"];

export const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  `--disable-features=${[...UNSEEN, ...UNWANTED].join(",")}`,
];

/** A Chromium with a profile of its own on the disk, for as long as the tests run. */
export interface OpenBrowser {
  /** Its pages share what they store. */
  readonly context: BrowserContext;
  /** Ends it and removes its profile. */
  close(): Promise<void>;
}

export async function openBrowser(): Promise<OpenBrowser> {
  const executablePath = await ensureProgram(programs.chromium);
  const profile = await mkdtemp(join(tmpdir(), "throughline-browser-"));
  // Chromium may still be writing to it.
  const removeProfile = () => rm(profile, { recursive: true, force: true, maxRetries: 20 });
  try {
    const context = await chromium.launchPersistentContext(profile, { executablePath, args: FLAGS });
    return {
      context,
      close: async () => {
        try {
          await context.close();
        } finally {
          await removeProfile();
        }
      },
    };
  } catch (error) {
    await removeProfile();
    throw error;
  }
}
