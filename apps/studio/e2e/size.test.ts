import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { bundlePage } from "../../../packages/throughline/test/browser/serve-page.ts";
import { isLong } from "../../../packages/throughline/test/long-tests.ts";
import { cards, closePanel, knows, openPanel, panelOf, pill } from "./memories.ts";
import { importLines } from "./panel.ts";
import { serveStudio } from "./studio.ts";

const { open, url } = serveStudio();

const FACTS = isLong ? 150 : 60;
const MESSAGES = 10_000;
const MAX_ROWS = 59;

describe(`${FACTS} memories`, { timeout: 180_000 }, () => {
  it("open with few elements, at first those on screen, and without reading them again", async () => {
    const page = await open({ before: countReads });
    await addFacts(page, FACTS);
    await page.reload();
    await knows(page, FACTS);
    const before = await page.evaluate(readsOfMemory);
    const { first, milliseconds } = await timeOpening(page);
    await expect.poll(() => cards(page).count()).toBe(FACTS);
    const elements = await panelOf(page).locator("*").count();
    const reads = (await page.evaluate(readsOfMemory)) - before;
    console.info(
      `${FACTS} cards: the first ${first} after ${Math.round(milliseconds)} ms, ${elements} elements in all`,
    );
    expect(first).toBeLessThanOrEqual(40);
    expect(elements).toBeLessThan(FACTS * 30);
    expect(reads).toBeLessThanOrEqual(1);

    // Expensive parts exist once for all cards.
    expect(await panelOf(page).locator("textarea, select, [role=tooltip], [role=menu], canvas, img").count()).toBe(0);
    await closePanel(page);
    expect(await page.locator("[data-fact-id]").count()).toBe(0);
    await openPanel(page);
    await expect.poll(() => cards(page).count()).toBe(FACTS);
    expect((await page.evaluate(readsOfMemory)) - before).toBeLessThanOrEqual(2);
  });
});

describe.runIf(isLong)(`${MESSAGES} messages`, { timeout: 300_000 }, () => {
  it("scroll from the end to the start with fewer than 60 of them in the page at every moment", async () => {
    const page = await open();
    await writeLongChat(page);
    const opening = performance.now();
    await page.getByRole("navigation").getByRole("button", { name: "A long chat", exact: true }).click();
    await page.getByText(`Number ${MESSAGES}.`).waitFor();
    console.info(`${MESSAGES} messages: open after ${Math.round(performance.now() - opening)} ms`);
    await page.evaluate(watchRows);

    const log = page.getByRole("log", { name: "Messages" });
    await log.hover();
    for (let turns = 0; turns < 10; turns += 1) await page.mouse.wheel(0, -1_500);
    const { looks, emptyLooks } = await log.evaluate(scrollToStart);
    await page.getByText("Number 1.", { exact: false }).first().waitFor();
    expect(looks).toBeGreaterThan(MESSAGES / 100);
    expect(emptyLooks).toBe(0);

    await log.press("End");
    await page.getByText(`Number ${MESSAGES}.`).waitFor();
    await log.press("Home");
    await page.locator("[data-index='0']").waitFor();
    const most = await page.evaluate(() => (globalThis as unknown as { mostRows: number }).mostRows);
    console.info(`${MESSAGES} messages: ${looks} looks on the way up, ${most} rows at the most`);
    expect(most).toBeGreaterThan(5);
    expect(most).toBeLessThanOrEqual(MAX_ROWS);
  });
});

/** Notes in the page whenever all memories are read. */
function countReads(): void {
  const counted = Object.assign(globalThis, { memoryReads: 0 });
  for (const { prototype } of [IDBObjectStore, IDBIndex]) {
    const read = prototype.getAll;
    prototype.getAll = function getAll(this: IDBObjectStore | IDBIndex, ...args: Parameters<typeof read>) {
      const { name } = this instanceof IDBIndex ? this.objectStore : this;
      if (name === "memory") counted.memoryReads += 1;
      return read.apply(this as IDBObjectStore & IDBIndex, args);
    };
  }
}

function readsOfMemory(): number {
  return (globalThis as unknown as { memoryReads: number }).memoryReads;
}

/** Through the UI: pastes a list. */
async function addFacts(page: Page, count: number): Promise<void> {
  await openPanel(page);
  const fact = (_: unknown, at: number) => `Owns item number ${at + 1}: a ${THINGS[at % THINGS.length]}`;
  await importLines(page, Array.from({ length: count }, fact));
  await knows(page, count);
}

const THINGS = ["kettle", "violin", "ladder", "compass", "lantern", "teapot", "sextant", "loom", "anvil", "kite"];

/** From the click until the first cards are painted. */
async function timeOpening(page: Page): Promise<{ readonly first: number; readonly milliseconds: number }> {
  return pill(page).evaluate(async (button: HTMLElement) => {
    const shown = () => document.querySelectorAll("[data-fact-id]").length;
    const frame = () => new Promise(requestAnimationFrame);
    const start = performance.now();
    button.click();
    while (shown() === 0) await frame();
    const first = shown();
    await new Promise((done) => setTimeout(done));
    return { first, milliseconds: performance.now() - start };
  });
}

/** Notes the most rows that were in the page at once, with every change of it. */
function watchRows(): void {
  const counted = Object.assign(globalThis, { mostRows: 0 });
  const look = () => {
    counted.mostRows = Math.max(counted.mostRows, document.querySelectorAll("[data-index]").length);
  };
  look();
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
}

/** Scrolls up some screens per frame, and checks that messages are visible. */
async function scrollToStart(log: Element): Promise<{ readonly looks: number; readonly emptyLooks: number }> {
  const frame = () => new Promise(requestAnimationFrame);
  let [looks, emptyLooks] = [0, 0];
  while (log.scrollTop > 0 && looks < 5_000) {
    log.scrollTop -= 5_000;
    await frame();
    await frame();
    looks += 1;
    if (log.querySelector("[data-index]") === null) emptyLooks += 1;
  }
  return { looks, emptyLooks };
}

/** Writes it from a page of the same address, with the store that the Studio has. */
async function writeLongChat(page: Page): Promise<void> {
  const files = await bundlePage(fileURLToPath(new URL("pages/long-chat.ts", import.meta.url)));
  const html = `<!doctype html><script type="module" src="/long-chat/page.js"></script>`;
  await page.route(`${url()}/long-chat/**`, (route) => {
    const path = new URL(route.request().url()).pathname.replace("/long-chat", "");
    const body = path === "/" ? html : String(files.get(path));
    return route.fulfill({ body, contentType: path === "/" ? "text/html" : "text/javascript" });
  });
  await page.goto(`${url()}/long-chat/`);
  await page.waitForFunction("globalThis.writeChat !== undefined");
  await page.evaluate((count) => {
    const { writeChat } = globalThis as unknown as { writeChat(title: string, count: number): Promise<void> };
    return writeChat("A long chat", count);
  }, MESSAGES);
  await page.goto(url());
}
