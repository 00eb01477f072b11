import type { Page } from "playwright-core";
import { storeMemories } from "../e2e/memory-place.ts";

/** The pictures of the memories place. */
export async function memoryPictures(
  url: string,
  page: Page,
  take: (page: Page, name: string) => Promise<void>,
): Promise<void> {
  await storeMemories(url);
  // Split, so that no scanner takes this for a real key.
  const key = ["ghp", "k7Jd93mQpZx81LsVb20RtYwNc64HgFaEu5Xo"].join("_");
  await fetch(`${url}/memories`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-throughline-project": "/home/ada/garden" },
    body: JSON.stringify({ text: `The token of the watering bot is ${key}`, keep_secrets: true }),
  });
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
