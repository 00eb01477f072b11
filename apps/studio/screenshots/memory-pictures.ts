import type { Page } from "playwright-core";
import { storeMemories } from "../e2e/memory-place.ts";

/** The pictures of the memories place. */
export async function memoryPictures(
  url: string,
  page: Page,
  take: (page: Page, name: string) => Promise<void>,
): Promise<void> {
  await storeMemories(url);
  const go = async (path: string) => {
    await page.goto(`${url}/#/memories${path}`);
    await page.getByRole("navigation", { name: "Memory views" }).waitFor();
  };
  await go("");
  await page.getByRole("option").filter({ hasText: "deploy on Fridays" }).click();
  await page.locator("mark").waitFor();
  await take(page, "memories");
  await go("/review");
  await page.getByRole("button", { name: "Accept" }).waitFor();
  await take(page, "memories-review");
  await go("/conflicts");
  await page.getByRole("button", { name: "Keep first" }).waitFor();
  await take(page, "memories-conflicts");
  await go("/consolidate");
  await page.getByRole("button", { name: "Preview" }).click();
  await page.getByText(/planned/).waitFor();
  await take(page, "memories-consolidate");
  await go("/audit");
  await page.getByText(/checked/).waitFor();
  await take(page, "memories-audit");
  await go("/context");
  await page.getByLabel("Message or task").fill("When do we deploy?");
  await page.getByRole("button", { name: "Show context" }).click();
  await page
    .getByRole("link", { name: /Fridays/ })
    .first()
    .waitFor();
  await take(page, "memories-context");
}
