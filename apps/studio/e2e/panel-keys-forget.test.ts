import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { longTest } from "../../../packages/throughline/test/long-tests.ts";
import { card, cards, clearedBar, knows, panelOf } from "./memories.ts";
import {
  hasCount,
  hasFocus,
  hasFocusIn,
  PORTO,
  press,
  SHORT,
  stopClock,
  TERRACE,
  tabTo,
  tellByKeys,
  toasts,
  toFirstCard,
  wordsOf,
} from "./panel.ts";
import { readDownload } from "./read-download.ts";
import { answers } from "./say.ts";
import { serveStudio } from "./studio.ts";

const { open, share } = serveStudio();

/** In this file nothing is clicked and nothing is filled in: keys only. */
async function withCards(): Promise<Page> {
  return tellByKeys(await open());
}

/** The tab for tests that leave three cards in their order, or come last. */
const shared = share(tellByKeys);

describe("deleting, by keyboard", { timeout: 120_000 }, () => {
  it("Del deletes at once and moves to the next card, and Ctrl+Z restores it", async () => {
    const page = await toFirstCard(await shared());
    await press(page, "ArrowDown", "Delete");
    await card(page, SHORT).waitFor({ state: "detached" });
    await hasFocus(wordsOf(page, PORTO));
    await press(page, "Control+Z");
    await hasFocus(wordsOf(page, SHORT));
    await page.reload();
    await knows(page, 3);
  });

  longTest("Ctrl+Z brings back one after the other", async () => {
    const page = await withCards();
    await press(page, "Delete", "Delete");
    await hasFocus(wordsOf(page, PORTO));
    await press(page, "Control+Z");
    await hasFocus(wordsOf(page, SHORT));
    await press(page, "Control+Z");
    await hasFocus(wordsOf(page, TERRACE));
  });

  longTest("the toast is reached with Tab, waits there, and Enter undoes", async () => {
    const page = await withCards();
    await stopClock(page);
    await press(page, "Delete");
    await page.clock.runFor(1_000);
    await tabTo(page, toasts(page).getByRole("button", { name: "Undo" }));
    await toasts(page).locator("[data-paused=true]").waitFor();
    await page.clock.runFor(60_000);
    await toasts(page).getByText(`Deleted “${TERRACE}”`).waitFor();
    await page.clock.resume();
    await press(page, "Enter");
    await hasFocus(wordsOf(page, TERRACE));
  });

  longTest("what was deleted lately is restored from its list", async () => {
    const page = await withCards();
    await press(page, "Delete");
    await tabTo(page, panelOf(page).getByRole("button", { name: "Recently deleted (1)" }));
    await press(page, "Enter");
    await tabTo(page, panelOf(page).getByRole("button", { name: `Restore: ${TERRACE}` }));
    await press(page, "Enter");
    await hasFocus(wordsOf(page, TERRACE));
  });
});

describe("Manage, by keyboard", { timeout: 120_000 }, () => {
  async function manage(tab = withCards()): Promise<Page> {
    const page = await tab;
    await tabTo(page, panelOf(page).getByRole("button", { name: "Manage" }), "Shift+Tab");
    await press(page, "Enter");
    await tabTo(page, panelOf(page).getByRole("checkbox", { name: TERRACE }));
    return page;
  }

  longTest("Space ticks, Shift with an arrow ticks on, and Escape ends it without closing the sheet", async () => {
    const page = await manage();
    await press(page, "Space", "Shift+ArrowDown");
    await panelOf(page).getByText("2 of 3 selected").waitFor();
    await press(page, "Escape");
    await panelOf(page).getByRole("toolbar").waitFor({ state: "detached" });
    await hasFocusIn(page);
  });

  it("Ctrl+A selects all, Del deletes them, and Ctrl+Z restores them", async () => {
    const page = await manage(shared().then(toFirstCard));
    await press(page, "Control+A");
    await panelOf(page).getByText("3 of 3 selected").waitFor();
    await press(page, "Delete");
    await hasCount(cards(page), 0);
    await hasFocusIn(page);
    await press(page, "Control+Z");
    await hasCount(cards(page), 3);
  });

  longTest("the bar pins what is ticked, and moves it to another category", async () => {
    const page = await manage();
    await press(page, "Space", "Shift+ArrowDown");
    await tabTo(page, panelOf(page).getByRole("button", { name: "Pin", exact: true }));
    await press(page, "Enter");
    await hasCount(panelOf(page).locator("[data-pinned=true]"), 2);
    await tabTo(page, panelOf(page).getByRole("button", { name: "Category" }));
    await press(page, "Enter");
    await hasFocus(page.getByRole("menuitem", { name: "Work" }));
    await press(page, "End");
    await hasFocus(page.getByRole("menuitem", { name: "You" }));
    await press(page, "Enter");
    await panelOf(page).getByRole("tab", { name: "You 3" }).waitFor();
  });

  longTest("an eleventh pin is explained", async () => {
    const page = await tellByKeys(
      await open(),
      Array.from({ length: 11 }, (_, at) => `Waters fern number ${at}`),
    );
    await tabTo(page, panelOf(page).getByRole("button", { name: "Manage" }), "Shift+Tab");
    await press(page, "Enter", "Control+A");
    await panelOf(page).getByText("11 of 11 selected").waitFor();
    await tabTo(page, panelOf(page).getByRole("button", { name: "Pin", exact: true }));
    await press(page, "Enter");
    await toasts(page).getByText("You can pin up to 10 memories. Unpin one first.", { exact: true }).waitFor();
    expect(await panelOf(page).locator("[data-pinned=true]").count()).toBe(10);
  });
});

describe("clearing all memory, by keyboard", { timeout: 120_000 }, () => {
  async function ask(page: Page): Promise<void> {
    await tabTo(page, panelOf(page).getByRole("button", { name: "Clear all memory" }));
    await press(page, "Enter");
    await panelOf(page).getByText("This will remove all 3 facts").waitFor();
    await hasFocus(panelOf(page).getByRole("button", { name: "Cancel" }));
  }

  longTest("Escape takes the question back, and the focus is where it was", async () => {
    const page = await withCards();
    await ask(page);
    await press(page, "Escape");
    await hasFocus(panelOf(page).getByRole("button", { name: "Clear all memory" }));
    expect(await cards(page).count()).toBe(3);
  });

  longTest("Enter clears, and Enter on the bar undoes", async () => {
    const page = await withCards();
    await ask(page);
    await stopClock(page);
    await press(page, "Tab", "Enter");
    await hasFocus(clearedBar(page).getByRole("button", { name: "Undo" }));
    await knows(page, 0);
    await press(page, "Enter");
    await hasCount(cards(page), 3);
    await page.clock.resume();
    await hasFocusIn(page);
  });

  longTest("Ctrl+Z undoes it too", async () => {
    const page = await withCards();
    await ask(page);
    await stopClock(page);
    await press(page, "Tab", "Enter");
    await clearedBar(page).waitFor();
    await press(page, "Control+Z");
    await hasCount(cards(page), 3);
  });

  longTest("leaves the empty panel with the focus in it when the time is over", async () => {
    const page = await withCards();
    await ask(page);
    await stopClock(page);
    await press(page, "Tab", "Enter");
    await clearedBar(page).waitFor();
    await page.clock.runFor(8_100);
    await clearedBar(page).waitFor({ state: "detached" });
    await panelOf(page).getByText("No memories yet.").waitFor();
    await hasFocus(panelOf(page).getByRole("textbox", { name: "Remember something" }));
  });
});

describe("exporting and importing, by keyboard", { timeout: 120_000 }, () => {
  longTest("the menu exports", async () => {
    const page = await withCards();
    await tabTo(page, panelOf(page).getByRole("button", { name: "Export and import" }), "Shift+Tab");
    await press(page, "Enter");
    await hasFocus(page.getByRole("menuitem", { name: "Export as JSON" }));
    await press(page, "ArrowDown");
    await hasFocus(page.getByRole("menuitem", { name: "Export as Markdown" }));
    const download = page.waitForEvent("download");
    await press(page, "Enter");
    expect((await readDownload(download)).toString()).toContain(SHORT);
  });

  it("the menu imports pasted text, with Enter to preview and Enter to add", async () => {
    const page = await toFirstCard(await shared());
    const trigger = panelOf(page).getByRole("button", { name: "Export and import" });
    await tabTo(page, trigger, "Shift+Tab");
    await press(page, "Enter");
    await hasFocus(page.getByRole("menuitem", { name: "Export as JSON" }));
    await press(page, "End", "Enter");
    const dialog = page.getByRole("dialog", { name: "Import memories" });
    await hasFocus(dialog.getByRole("textbox", { name: "Text to import" }));
    await page.keyboard.type("Keeps bees on the roof");
    await tabTo(page, dialog.getByRole("button", { name: "Preview" }));
    await press(page, "Enter");
    await dialog.getByText("1 new. Nothing imported yet.").waitFor();
    await hasFocus(dialog.getByRole("button", { name: "Add 1 memory" }));
    await press(page, "Enter");
    await card(page, "Keeps bees on the roof").waitFor();
    await hasFocus(trigger);
  });
});

describe("remembering from the chat, by keyboard", { timeout: 120_000 }, () => {
  longTest("Tab goes from marked words to “Remember”, and Enter remembers them", async () => {
    const page = await withDemo();
    // Marks them as caret browsing does.
    await answers(page).getByText("Noted: short").selectText();
    await tabTo(page, page.getByRole("button", { name: "Remember", exact: true }));
    await press(page, "Enter");
    await knows(page, 11);
  });

  longTest("the button of an answer asks what of it is to be remembered, and keeps no more", async () => {
    const page = await withDemo();
    await tabTo(page, answers(page).last().getByRole("button", { name: "Remember this" }));
    await press(page, "Enter");
    const own = page.getByRole("textbox", { name: "In your own words" });
    await hasFocus(own);
    await page.keyboard.type("I look at the ring now and then");
    await press(page, "Enter");
    await own.waitFor({ state: "detached" });
    await knows(page, 11);
  });

  longTest("the first conversation's invitation is taken up", async () => {
    const page = await open();
    await tabTo(page, page.getByRole("button", { name: /^How I like answers/ }));
    await press(page, "Enter");
    const field = page.getByRole("textbox", { name: "Message" });
    await hasFocus(field);
    await page.keyboard.type("short");
    expect(await field.inputValue()).toBe("I prefer answers that are short");
  });

  async function withDemo(): Promise<Page> {
    const page = await open();
    await tabTo(page, page.getByRole("button", { name: "Try the demo" }).first());
    await press(page, "Enter");
    await answers(page).getByText("You're welcome.").waitFor();
    await knows(page, 10);
    return page;
  }
});
