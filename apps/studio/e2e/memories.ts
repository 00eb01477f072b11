import type { Locator, Page } from "playwright-core";
import { showFact } from "../../../packages/throughline/src/react/parts/format-memories.ts";

/** Actions on memories, through the panel. */
export async function openPanel(page: Page): Promise<Locator> {
  await pill(page).click();
  const panel = panelOf(page);
  await panel.waitFor();
  return panel;
}

export async function closePanel(page: Page): Promise<void> {
  await panelOf(page).getByRole("button", { name: "Close", exact: true }).click();
  await panelOf(page).waitFor({ state: "detached" });
}

export function panelOf(page: Page): Locator {
  return page.getByRole("dialog", { name: "Memories", exact: true });
}

export function pill(page: Page): Locator {
  return page.locator("[data-memory-pill]");
}

/** Waits until the pill counts so many. */
export async function knows(page: Page, count: number): Promise<void> {
  await pill(page)
    .and(page.getByText(count === 1 ? "1 memory" : `${count} memories`, { exact: false }))
    .waitFor();
}

export function cards(page: Page): Locator {
  return panelOf(page).locator("[data-fact-id]");
}

export function card(page: Page, text: string): Locator {
  return cards(page).filter({ hasText: text });
}

/** Enters a memory in the open panel and waits until it is saved. */
export async function remember(page: Page, ...texts: readonly string[]): Promise<void> {
  const field = panelOf(page).getByRole("textbox", { name: "Remember something" });
  for (const text of texts) {
    await field.fill(text);
    await field.press("Enter");
    await card(page, showFact(text)).waitFor();
    // The field contains the text until it is saved.
    await field.and(page.locator("[value='']")).waitFor();
  }
}

/** Opens a card for a quick fix, and writes into it. */
export async function beginEdit(page: Page, text: string, words: string): Promise<Locator> {
  await card(page, text).getByRole("button", { name: text, exact: true }).click();
  const field = panelOf(page).getByRole("textbox", { name: "Edit memory" });
  await field.fill(words);
  return field;
}

export async function forget(page: Page, text: string): Promise<void> {
  await card(page, text).hover();
  await panelOf(page)
    .getByRole("button", { name: `Delete: ${text}` })
    .click();
}

export async function clearAll(page: Page): Promise<void> {
  await panelOf(page).getByRole("button", { name: "Clear all memory" }).click();
  await panelOf(page).getByRole("button", { name: "Clear", exact: true }).click();
}

/** Stops the clock of a user's tabs, so that undo stays possible on a slow machine. */
export async function holdClock(page: Page): Promise<void> {
  await page.context().clock.setFixedTime(Date.now());
}

/** Runs in the page first, and stops the timer that completes deletions. */
export function stretchUndo(): void {
  const { setTimeout } = globalThis;
  const isUndoTime = (delay: number) => delay > 3_000 && delay <= 4_000;
  const stretched = (run: () => void, delay = 0) => setTimeout(run, isUndoTime(delay) ? delay * 100 : delay);
  Object.assign(globalThis, { setTimeout: stretched });
}

export function clearedBar(page: Page): Locator {
  return page.getByRole("region", { name: "Memory cleared" });
}
