import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, type BrowserContext, chromium } from "playwright-core";
import { inject } from "vitest";
import { ensureProgram, programs } from "../../../../tools/ensure/ensure-program.mjs";
import { FLAGS } from "./browser-flags.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The WebSocket endpoint of the Chromium that all test files share. */
    readonly chromium: string;
  }
}

/** Timeout for the browser, long enough for a machine under load. */
export const START_TIME = 120_000;

/** The Chromium of this test run. Closing it closes the contexts that were opened here, and leaves the rest. */
export function sharedBrowser(): Promise<Browser> {
  return chromium.connect(inject("chromium"));
}

/** A Chromium with its own profile on disk, which is required to limit the storage quota. */
export interface OpenBrowser {
  /** Its pages share their storage. */
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
    const context = await chromium.launchPersistentContext(profile, {
      executablePath,
      args: FLAGS,
      // A service worker that caches its files, and drops them when the quota is reached, changes the free space at any
      // time.
      serviceWorkers: "block",
    });
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
