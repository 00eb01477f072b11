import { beforeAll, describe, expect, it } from "vitest";
import { isLong } from "../../../packages/throughline/test/long-tests.ts";
import { AxeLooks } from "./look-with-axe.ts";
import { storeMemories } from "./memory-place.ts";
import { serveStudio } from "./studio.ts";

const { open, url } = serveStudio();

beforeAll(() => storeMemories(url()));

const LOOKS = [
  { theme: "light", width: 1_280, height: 800 },
  { theme: "dark", width: 1_280, height: 800 },
  { theme: "light", width: 360, height: 740 },
  { theme: "dark", width: 360, height: 740 },
] as const;

/** The short form leaves out views of which all elements are in a state that is checked below. */
const VIEWS = isLong ? ["", "/review", "/conflicts", "/consolidate", "/audit", "/context"] : ["/review", "/context"];

describe("the memories page", { timeout: 180_000 }, () => {
  it.each(isLong ? LOOKS : LOOKS.slice(0, 1))("has no accessibility violations at $width px, $theme", async (look) => {
    const page = await open(look);
    const looks = new AxeLooks(page);
    for (const path of VIEWS) {
      await page.goto(`${url()}/#/memories${path}`);
      await page.getByRole("navigation", { name: "Memory views" }).waitFor();
      await page.getByText("Loading…").first().waitFor({ state: "hidden" });
      await looks.at(`memories${path}`);
      const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      expect({ path, isWide }).toEqual({ path, isWide: false });
    }
    await page.goto(`${url()}/#/memories`);
    await page.getByRole("option").filter({ hasText: "Vitest" }).click();
    await page.getByRole("link", { name: /Jest/ }).waitFor();
    if (isLong) await looks.at("a memory");
    await page.getByRole("button", { name: "Edit" }).click();
    await looks.at("editing a memory");
    await page.goto(`${url()}/#/memories/conflicts`);
    await page.getByRole("button", { name: "Merge…" }).click();
    await looks.at("merging");
    await page.goto(`${url()}/#/memories/consolidate`);
    await page.getByRole("button", { name: "Preview" }).click();
    await page.getByText(/planned/).waitFor();
    await looks.at("a preview");
    await page.goto(`${url()}/#/memories/audit`);
    await page.getByRole("radio", { name: "Another store" }).click();
    await page.getByRole("textbox").fill("- Use tabs\n- Use tabs");
    await page.getByRole("button", { name: "Check" }).click();
    await page.getByText(/checked/).waitFor();
    await looks.at("another store");
    expect(looks.violations).toEqual([]);
  });
});
