import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { showFact } from "../../../packages/throughline/src/react/parts/format-memories.ts";
import { card, cards, openPanel, panelOf, remember } from "./memories.ts";

export const TERRACE = "Building an app called Terrace";
export const SHORT = "Prefers short answers";
export const PORTO = "Lives in Porto";

/** Opens the panel of a tab with one memory of each category. */
export async function withOneOfEach(page: Page): Promise<Locator> {
  const panel = await openPanel(page);
  await remember(page, TERRACE, SHORT, PORTO);
  return panel;
}

/** Opens the panel of a tab if it is closed. */
export async function reopenPanel(page: Page): Promise<Locator> {
  return (await panelOf(page).isVisible()) ? panelOf(page) : openPanel(page);
}

export async function openImport(page: Page): Promise<Locator> {
  await panelOf(page).getByRole("button", { name: "Export and import" }).click();
  await page.getByRole("menuitem", { name: "Import…" }).click();
  return page.getByRole("dialog", { name: "Import memories" });
}

/** Brings many memories into the open panel at once, one per line. */
export async function importLines(page: Page, lines: readonly string[]): Promise<void> {
  const dialog = await openImport(page);
  await dialog.getByRole("textbox", { name: "Text to import" }).fill(lines.join("\n"));
  await dialog.getByRole("button", { name: "Preview" }).click();
  await dialog.getByRole("button", { name: `Add ${lines.length} memories` }).click();
  await dialog.waitFor({ state: "detached" });
}

export function toasts(page: Page): Locator {
  return panelOf(page).getByRole("region", { name: /Memory notifications/ });
}

export function editor(page: Page): Locator {
  return panelOf(page).getByRole("textbox", { name: "Edit memory" });
}

/** From now on, only `page.clock.runFor` advances the clock of the page. */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
}

/** A color of the theme, as the browser computes it. */
export function themeColor(page: Page, name: string): Promise<string> {
  return page.evaluate((variable) => {
    const probe = document.createElement("i");
    probe.style.color = `var(--${variable})`;
    document.body.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  }, name);
}

export function styleOf(locator: Locator, property: string, pseudo?: string): Promise<string> {
  return locator.evaluate((element, [name, part]) => getComputedStyle(element, part ?? null).getPropertyValue(name), [
    property,
    pseudo,
  ] as const);
}

export async function boxOf(locator: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  const box = await locator.boundingBox();
  if (box === null) throw new TypeError("It is not shown.");
  return box;
}

/** Waits for a number of memories. */
export async function hasCount(locator: Locator, count: number): Promise<void> {
  await expect.poll(() => locator.count()).toBe(count);
}

/** Waits until something has the focus. */
export async function hasFocus(locator: Locator): Promise<void> {
  await expect
    .poll(() => locator.evaluate((element) => element === document.activeElement), { timeout: 30_000 })
    .toBe(true);
}

/** The button of a card that has its words. */
export function wordsOf(page: Page, text: string): Locator {
  return card(page, text).getByRole("button", { name: text, exact: true });
}

/** Presses Tab, or Shift+Tab, until something has the focus. */
export async function tabTo(page: Page, target: Locator, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  await target.first().waitFor({ state: "attached" });
  for (let presses = 0; presses < 60; presses++) {
    if (await target.first().evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  throw new TypeError(`${key} does not lead to ${target}.`);
}

export async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

/** Opens the panel and enters one memory per category with the keyboard only. Then the focus is on the first card. */
export async function tellByKeys(page: Page, texts: readonly string[] = [TERRACE, SHORT, PORTO]): Promise<Page> {
  await press(page, "Control+Shift+M");
  await hasFocusIn(page);
  await press(page, "/");
  const field = panelOf(page).getByRole("textbox", { name: "Remember something" });
  await hasFocus(field);
  for (const text of texts) {
    await page.keyboard.insertText(text);
    await press(page, "Enter");
    await card(page, showFact(text)).waitFor();
    // The field contains the text until it is saved.
    await field.and(page.locator("[value='']")).waitFor();
  }
  await press(page, "Escape");
  await hasFocus(cards(page).first().locator("[data-fact-focus]"));
  return page;
}

/** Waits until the focus is somewhere in the panel. */
export async function hasFocusIn(page: Page): Promise<void> {
  const isIn = () => panelOf(page).evaluate((panel) => panel.contains(document.activeElement));
  await expect.poll(isIn).toBe(true);
}

/** Moves the focus to the first card of a tab in which memories were entered, with the keyboard only. */
export async function toFirstCard(page: Page): Promise<Page> {
  if (await panelOf(page).isVisible()) {
    await press(page, "Control+Shift+M");
    await panelOf(page).waitFor({ state: "detached" });
  }
  await press(page, "Control+Shift+M");
  await hasFocus(cards(page).first().locator("[data-fact-focus]"));
  return page;
}
