import type { Dialog, Page } from "playwright-core";

/** A tab that the tests of a file use one after the other. */
export interface ReusedTab {
  readonly page: Page;
  isFree: boolean;
}

export interface ClearTabOptions {
  readonly width: number;
  readonly height: number;
  readonly theme: "light" | "dark";
  readonly withModel: boolean;
}

/** Leaves the page, deletes all that it stored, and restores the tab's settings: the next page finds a new user. */
export async function clearTab(page: Page, url: string, options: ClearTabOptions): Promise<void> {
  const { width, height, theme, withModel } = options;
  page.removeAllListeners();
  const leave = (dialog: Dialog) => dialog.accept();
  page.on("dialog", leave);
  // A page of the same origin without code, in which the choice of a model can be stored.
  await page.goto(`${url}/healthz`);
  page.off("dialog", leave);
  await page.unrouteAll();
  const session = await page.context().newCDPSession(page);
  await session.send("Storage.clearDataForOrigin", { origin: new URL(url).origin, storageTypes: "all" });
  await session.detach();
  await page.evaluate(() => sessionStorage.clear());
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme: theme });
  await page.mouse.move(0, 0);
  if (withModel) await page.evaluate(chooseServerModel);
}

/** Runs in the page. */
export function chooseServerModel(): void {
  localStorage.setItem("throughline.models.choice", "server");
}
