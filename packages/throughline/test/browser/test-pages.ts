import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { type OpenBrowser, openBrowser, sharedBrowser } from "./open-browser.ts";
import type { PageApi } from "./page-api.ts";
import { servePage } from "./serve-page.ts";

/** A browser tab with functions that a test can call. */
export interface Tab<Api = PageApi> {
  readonly page: Page;
  call<Name extends keyof Api>(name: Name, ...args: ParametersOf<Api[Name]>): ResultOf<Api[Name]>;
}

type ParametersOf<Call> = Call extends (...args: infer Args) => unknown ? Args : never;
type ResultOf<Call> = Call extends (...args: never) => infer Result ? Result : never;

/** A browser whose tabs run one page and share their storage. */
export interface TestPages<Api = PageApi> {
  /** A tab, with a script that runs in it before ours. */
  newTab(script?: string): Promise<Tab<Api>>;
  close(): Promise<void>;
}

/**
 * Opens a browser context for a page whose module assigns its functions to `globalThis.testPage`.
 *
 * @param options.ownProfile starts a browser with a profile on the disk, whose quota can be set
 */
export async function openTestPages<Api = PageApi>({
  module = "page.ts",
  ownProfile = false,
}: {
  readonly module?: string;
  readonly ownProfile?: boolean;
} = {}): Promise<TestPages<Api>> {
  const served = await servePage(fileURLToPath(new URL(`page/${module}`, import.meta.url)));
  const browser = await (ownProfile ? openBrowser() : sharedContext()).catch(async (error) => {
    await served.close();
    throw error;
  });
  return {
    newTab: async (script) => {
      const page = await browser.context.newPage();
      if (script !== undefined) await page.addInitScript(script);
      await page.goto(served.url);
      await page.waitForFunction("globalThis.testPage !== undefined");
      return { page, call: caller(page) as unknown as Tab<Api>["call"] };
    },
    close: async () => {
      try {
        await browser.close();
      } finally {
        await served.close();
      }
    },
  };
}

async function sharedContext(): Promise<OpenBrowser> {
  const browser = await sharedBrowser();
  return { context: await browser.newContext(), close: () => browser.close() };
}

function caller(page: Page): (name: string, ...args: unknown[]) => Promise<unknown> {
  return (name, ...args) =>
    page.evaluate(
      ([method, given]) => {
        const { testPage } = globalThis as unknown as { testPage: Record<string, (...all: unknown[]) => unknown> };
        return testPage[method]?.(...given);
      },
      [name, args] as const,
    );
}
