import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { isLong, longTest } from "../../../packages/throughline/test/long-tests.ts";
import {
  card,
  cards,
  clearAll,
  clearedBar,
  closePanel,
  forget,
  knows,
  openPanel,
  panelOf,
  remember,
} from "./memories.ts";
import {
  boxOf,
  hasCount,
  openImport,
  PORTO,
  reopenPanel,
  SHORT,
  stopClock,
  styleOf,
  TERRACE,
  themeColor,
  toasts,
  withOneOfEach,
} from "./panel.ts";
import { readDownload } from "./read-download.ts";
import { placesOf } from "./stored.ts";
import { serveStudio } from "./studio.ts";

const { open, share } = serveStudio();
const withCards = share(withOneOfEach);
const empty = share(openPanel);

describe("deleting, by mouse", { timeout: 120_000 }, () => {
  it("is done at once, without a question, and can be undone for four seconds", async () => {
    const page = await open();
    await withOneOfEach(page);
    await stopClock(page);
    await forget(page, SHORT);
    await card(page, SHORT).waitFor({ state: "detached" });
    await knows(page, 2);
    expect(await page.getByRole("alertdialog").count()).toBe(0);
    await page.mouse.move(10, 10);
    await page.clock.runFor(3_900);
    await toasts(page).getByText(`Deleted “${SHORT}”`).waitFor();
    await page.clock.runFor(200);
    await toastGoes(page);
  });

  longTest("is undone in the toast, which stands in the sheet and can be clicked there", async () => {
    const page = await withCards();
    await reopenPanel(page);
    await forget(page, SHORT);
    await toasts(page).getByRole("button", { name: "Undo" }).click();
    await card(page, SHORT).waitFor();
    await toasts(page).getByText("Deleted").waitFor({ state: "detached" });
    await page.reload();
    await knows(page, 3);
  });

  longTest("waits with its end as long as the mouse is over the toast", async () => {
    const page = await open();
    await withOneOfEach(page);
    await stopClock(page);
    await forget(page, SHORT);
    await page.clock.runFor(3_000);
    await toasts(page).getByText("Deleted").hover();
    await toasts(page).locator("[data-paused=true]").waitFor();
    await page.clock.runFor(60_000);
    expect(await toasts(page).getByText("Deleted").isVisible()).toBe(true);
    await page.mouse.move(10, 10);
    await toasts(page).locator("[data-paused=false]").waitFor();
    await page.clock.runFor(900);
    expect(await toasts(page).getByText("Deleted").isVisible()).toBe(true);
    await page.clock.runFor(200);
    await toastGoes(page);
  });

  it("lists deleted memories, which can be restored", async () => {
    const page = await withCards();
    const panel = await reopenPanel(page);
    await forget(page, SHORT);
    await panel.getByRole("button", { name: "Recently deleted (1)" }).click();
    await panel.getByRole("list", { name: "Recently deleted" }).getByText(SHORT).waitFor();
    await panel.getByRole("button", { name: `Restore: ${SHORT}` }).click();
    await card(page, SHORT).waitFor();
    await panel.getByText(/Recently deleted/).waitFor({ state: "detached" });
    await page.reload();
    await knows(page, 3);
  });
});

/** Waits until a toast has left, for which it needs some frames. */
async function toastGoes(page: Page): Promise<void> {
  const isLeft = async () => {
    await page.clock.runFor(20);
    return toasts(page).getByText("Deleted").count();
  };
  await expect.poll(isLeft).toBe(0);
}

describe("clearing all memory, by mouse", { timeout: 120_000 }, () => {
  longTest("begins at the bottom of the panel, in a muted color", async () => {
    const page = await open();
    const panel = await withOneOfEach(page);
    const trigger = panel.getByRole("button", { name: "Clear all memory" });
    expect(await styleOf(trigger, "color")).toBe(await themeColor(page, "text-soft"));
    expect((await boxOf(trigger)).y).toBeGreaterThan(740);
  });

  longTest("asks in its place, with the exact count, and keeps everything where one wants to", async () => {
    const page = await open();
    const panel = await openPanel(page);
    await remember(page, TERRACE);
    await panel.getByRole("button", { name: "Clear all memory" }).click();
    await panel.getByText("This will remove 1 fact", { exact: true }).waitFor();
    await panel.getByRole("button", { name: "Cancel" }).click();
    await remember(page, SHORT, PORTO);
    await panel.getByRole("button", { name: "Clear all memory" }).click();
    await panel.getByText("This will remove all 3 facts", { exact: true }).waitFor();
    await panel.getByRole("button", { name: "Cancel" }).click();
    expect(await cards(page).count()).toBe(3);
    expect(await page.getByRole("alertdialog").count()).toBe(0);
  });

  it("hides all memories at once, and deletes them after an eight-second countdown", async () => {
    const page = await open();
    await withOneOfEach(page);
    await stopClock(page);
    await clearAll(page);
    await cards(page).first().waitFor({ state: "detached" });
    await knows(page, 0);
    expect(await placesOf(page, "Terrace")).toContain("throughline.memory");
    await barSays(page, 8, 1);
    await page.clock.runFor(4_000);
    await barSays(page, 4, 0.5);
    await page.clock.runFor(3_900);
    await barSays(page, 1, 0);
    expect(await placesOf(page, "Terrace")).toContain("throughline.memory");
    await page.clock.runFor(200);
    await clearedBar(page).waitFor({ state: "detached" });
    await expect.poll(() => placesOf(page, "Terrace")).toEqual([]);
    await isEmpty(page);
  });

  longTest("keeps its bar in sight when the panel is closed, and brings everything back from there", async () => {
    const page = await open();
    await withOneOfEach(page);
    await stopClock(page);
    await clearAll(page);
    await clearedBar(page).waitFor();
    await page.clock.resume();
    await closePanel(page);
    await clearedBar(page).getByRole("button", { name: "Undo" }).click();
    await knows(page, 3);
    await clearedBar(page).waitFor({ state: "detached" });
  });

  longTest("is undone in the bar", async () => {
    const page = await open();
    await withOneOfEach(page);
    await clearAll(page);
    await clearedBar(page).getByRole("button", { name: "Undo" }).click();
    await hasCount(cards(page), 3);
    await clearedBar(page).waitFor({ state: "detached" });
  });

  longTest("leaves a panel with a picture and gentle words, as it was at first", async () => {
    await isEmpty(await empty());
  });
});

async function barSays(page: Page, seconds: number, share: number): Promise<void> {
  const bar = clearedBar(page);
  await bar.getByText(`${seconds}s`, { exact: true }).waitFor();
  await bar.getByText("Memory cleared", { exact: true }).waitFor();
  await bar.getByRole("button", { name: "Undo" }).waitFor();
  const track = bar.getByRole("progressbar", { name: "Time left to undo" });
  expect(await track.getAttribute("aria-valuenow")).toBe(String(seconds));
  const { width } = await boxOf(track);
  const filled = () => track.locator("div").evaluate((element) => element.getBoundingClientRect().width);
  // The card moves with an animation.
  await expect.poll(async () => (await filled()) / width).toBeCloseTo(share, 1);
}

async function isEmpty(page: Page): Promise<void> {
  const words = panelOf(page).getByText("No memories yet.", { exact: true });
  await words.waitFor();
  const state = words.locator("..");
  await state.locator("svg").waitFor();
  expect(await state.locator("p").allTextContents()).toEqual(["No memories yet.", "I'll learn as we talk."]);
}

describe("exporting and importing, by mouse", { timeout: 120_000 }, () => {
  it.each<readonly [string, RegExp]>([
    ["JSON", /^throughline-memories-\d{4}-\d\d-\d\d\.json$/],
    ...(isLong ? [["Markdown", /^throughline-memories-\d{4}-\d\d-\d\d\.md$/] as const] : []),
  ])("exports %s, which can be imported from the file after a look at what would happen", async (format, name) => {
    const page = await withCards();
    const panel = await reopenPanel(page);
    const download = page.waitForEvent("download");
    await panel.getByRole("button", { name: "Export and import" }).click();
    await page.getByRole("menuitem", { name: `Export as ${format}` }).click();
    expect((await download).suggestedFilename()).toMatch(name);
    const buffer = await readDownload(download);
    for (const text of [TERRACE, SHORT, PORTO]) expect(buffer.toString()).toContain(text);

    const other = await open();
    await openPanel(other);
    const dialog = await chooseFile(other, buffer);
    await dialog.getByText("3 new. Nothing imported yet.").waitFor();
    expect(await cards(other).count()).toBe(0);
    await dialog.getByRole("button", { name: "Add 3 memories" }).click();
    await hasCount(cards(other), 3);
    for (const words of ["Terrace", "short answers", "Porto"]) await card(other, words).waitFor();
  });

  longTest("knows an export again, and adds nothing twice", async () => {
    const page = await open();
    const panel = await withOneOfEach(page);
    const download = page.waitForEvent("download");
    await panel.getByRole("button", { name: "Export and import" }).click();
    await page.getByRole("menuitem", { name: "Export as JSON" }).click();
    const dialog = await chooseFile(page, await readDownload(download));
    await dialog.getByText("0 new, 3 duplicates. Nothing imported yet.").waitFor();
    expect(await dialog.getByRole("button", { name: /^Add/ }).count()).toBe(0);
  });

  it("imports pasted text only after a preview", async () => {
    const page = await empty();
    const dialog = await openImport(page);
    await dialog.getByRole("textbox", { name: "Text to import" }).fill(`${TERRACE}\n${PORTO}`);
    await dialog.getByRole("button", { name: "Preview" }).click();
    await dialog.getByText("2 new. Nothing imported yet.").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await cards(page).count()).toBe(0);
    const again = await openImport(page);
    await again.getByRole("textbox", { name: "Text to import" }).fill(`${TERRACE}\n${PORTO}`);
    await again.getByRole("button", { name: "Preview" }).click();
    await again.getByRole("button", { name: "Add 2 memories" }).click();
    await toasts(page).getByText("Added 2 memories").waitFor();
    await hasCount(cards(page), 2);
    await card(page, "Porto").getByText("Imported").waitFor();
  });

  it("shows the progress of an import, and cancels it with nothing added", async () => {
    const page = await open();
    await openPanel(page);
    const dialog = await openImport(page);
    const lines = Array.from({ length: 2_000 }, (_, at) => `Owns item number ${at}: a kettle of type ${at * 7}`);
    await dialog.getByRole("textbox", { name: "Text to import" }).fill(lines.join("\n"));
    await dialog.getByRole("button", { name: "Preview" }).click();
    await dialog.getByRole("progressbar", { name: "Importing" }).and(page.locator("[value]")).waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.getByText("Import cancelled. Nothing was added.").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await cards(page).count()).toBe(0);
  });
});

async function chooseFile(page: Page, buffer: Buffer): Promise<Locator> {
  const dialog = await openImport(page);
  const chooser = page.waitForEvent("filechooser");
  await dialog.getByRole("button", { name: "Choose file" }).click();
  await (await chooser).setFiles({ name: "memories.txt", mimeType: "text/plain", buffer });
  return dialog;
}
