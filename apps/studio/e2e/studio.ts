import { join } from "node:path";
import { createServer, type HistorySource, type RunningServer, type UpstreamModel } from "@throughline/server";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { START_TIME, sharedBrowser } from "../../../packages/throughline/test/browser/open-browser.ts";
import { cliFolder } from "../../../tools/run/paths.mjs";
import { chooseServerModel, clearTab, type ReusedTab } from "./clear-tab.ts";

/** The Studio is built into the command line. */
const BUILT = join(cliFolder, "dist", "studio");
const REPORT_PAGE = join(cliFolder, "dist", "report", "report.html");

export interface TabOptions {
  readonly width?: number;
  readonly height?: number;
  readonly theme?: "light" | "dark";
  /** With motion, as most people have it; tests are quicker without. */
  readonly hasMotion?: boolean;
  /** Uses the server's model. */
  readonly withModel?: boolean;
  /** Opens another tab of the same user. */
  readonly beside?: Page;
  /** Time of the page's clock in milliseconds. The clock is fixed; timers run. */
  readonly time?: number;
  /** Runs in the page before anything of it. */
  readonly before?: () => void;
  /** Receives the user's browser context before the first tab opens. */
  readonly watch?: (context: BrowserContext) => void;
  /**
   * Opens a new tab in a file that reuses its tab, for a test that changes the clock, the network or the tab itself.
   */
  readonly isNew?: boolean;
}

/** The built Studio in a real browser. Each tab has a separate user by default. */
export interface StudioTests {
  readonly url: () => string;
  readonly open: (options?: TabOptions) => Promise<Page>;
  /** Opens one tab for the tests of a file that leave it as they found it, and prepares it once. */
  readonly share: (prepare: (page: Page) => Promise<unknown>, options?: TabOptions) => () => Promise<Page>;
}

export interface StudioTestOptions {
  readonly model?: () => UpstreamModel;
  /** Recorded sessions that the server shows. */
  readonly histories?: HistorySource;
  /** Empties the tab of the test before instead of opening a new one, which takes three times the processor time. */
  readonly reusesTab?: boolean;
}

/** For one file of tests: starts a server and connects to the shared browser before it, and ends both after it. */
export function serveStudio({ model, histories, reusesTab = false }: StudioTestOptions = {}): StudioTests {
  let server: RunningServer | undefined;
  let browser: Browser | undefined;
  const contexts = new Set<BrowserContext>();
  const problems: string[] = [];
  let reused: ReusedTab | undefined;

  beforeAll(async () => {
    const upstream = model?.();
    server = await createServer({
      port: 0,
      studio: BUILT,
      reportPage: REPORT_PAGE,
      ...(upstream !== undefined && { upstreams: { openai: upstream } }),
      ...(histories !== undefined && { histories }),
    });
    browser = await sharedBrowser();
  }, START_TIME);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });
  afterEach(async () => {
    await Promise.all([...contexts].map((context) => context.close()));
    contexts.clear();
    if (reused !== undefined) reused.isFree = true;
    // A page that throws is broken, whatever the test looked at.
    expect(problems.splice(0)).toEqual([]);
  });

  const url = () => server?.url ?? "";
  const load = async (page: Page): Promise<Page> => {
    page.on("pageerror", (error) => problems.push(error.stack ?? error.message));
    await page.goto(url());
    await page.getByRole("textbox", { name: "Message" }).waitFor();
    return page;
  };
  const openIn = async (context: BrowserContext): Promise<Page> => load(await context.newPage());
  const openReused = async (options: TabOptions): Promise<Page> => {
    reused ??= { page: await (await newContext(browser, {})).newPage(), isFree: true };
    reused.isFree = false;
    await clearTab(reused.page, url(), { ...SCREEN, ...options });
    return load(reused.page);
  };
  return {
    url,
    open: async (options = {}) => {
      if (reusesTab && isPlain(options) && reused?.isFree !== false) return openReused(options);
      const context = options.beside?.context() ?? (await newContext(browser, options));
      contexts.add(context);
      return openIn(context);
    },
    share: (prepare, options = {}) => {
      let shared: Promise<Page> | undefined;
      const start = async () => {
        const page = await openIn(await newContext(browser, options));
        await prepare(page);
        return page;
      };
      return () => (shared ??= start());
    },
  };
}

const SCREEN = { width: 1_280, height: 800, theme: "light", withModel: false } as const;

/** True if an emptied tab is as good as a new one. */
function isPlain({ hasMotion, beside, time, before, watch, isNew }: TabOptions): boolean {
  return [hasMotion, beside, time, before, watch, isNew].every((option) => option === undefined);
}

async function newContext(browser: Browser | undefined, options: TabOptions): Promise<BrowserContext> {
  if (browser === undefined) throw new TypeError("The browser has not been started.");
  const { width, height, theme, withModel, hasMotion = false, time, before, watch } = { ...SCREEN, ...options };
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: hasMotion ? "no-preference" : "reduce",
    permissions: ["clipboard-read", "clipboard-write"],
    // Only the offline tests use the service worker.
    serviceWorkers: "block",
  });
  // Playwright's timeout is 30 seconds, too short for a busy machine.
  context.setDefaultTimeout(START_TIME);
  if (withModel) {
    await context.addInitScript(chooseServerModel);
  }
  if (time !== undefined) await context.clock.setFixedTime(time);
  if (before !== undefined) await context.addInitScript(before);
  watch?.(context);
  return context;
}
