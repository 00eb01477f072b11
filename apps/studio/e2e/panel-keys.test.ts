import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { longTest } from "../../../packages/throughline/test/long-tests.ts";
import { card, cards, knows, panelOf, pill } from "./memories.ts";
import {
  editor,
  hasCount,
  hasFocus,
  hasFocusIn,
  PORTO,
  press,
  SHORT,
  styleOf,
  TERRACE,
  tabTo,
  tellByKeys,
  toFirstCard,
  wordsOf,
} from "./panel.ts";
import { answers } from "./say.ts";
import { serveStudio } from "./studio.ts";

const { open, share } = serveStudio();

/** In this file nothing is clicked and nothing is filled in: keys only. */
async function withCards(): Promise<Page> {
  return tellByKeys(await open());
}

/** The tab for tests that leave one card of each category; the last ones change the words of the second. */
const shared = share(tellByKeys);

describe("opening and closing, by keyboard", { timeout: 120_000 }, () => {
  it("Ctrl+Shift+M opens the panel from the composer, and closes it", async () => {
    const page = await toFirstCard(await shared());
    await press(page, "Control+Shift+M");
    await panelOf(page).waitFor({ state: "detached" });
    await hasFocus(pill(page));
    await tabTo(page, page.getByRole("textbox", { name: "Message" }));
    await press(page, "Control+Shift+M");
    await hasFocus(wordsOf(page, TERRACE));
  });

  it("the pill is reached with Tab and opened with Enter, and has the focus again after Escape", async () => {
    const page = await open();
    expect(await pill(page).getAttribute("aria-keyshortcuts")).toBe("Control+Shift+M");
    await tabTo(page, pill(page));
    await press(page, "Enter");
    await hasFocusIn(page);
    await press(page, "Escape");
    await panelOf(page).waitFor({ state: "detached" });
    await hasFocus(pill(page));
  });

  longTest(
    "a panel or model list that closes leaves the focus in the message field if it is there already",
    async () => {
      const page = await open({ hasMotion: true });
      await press(page, "Control+Shift+M");
      await hasFocusIn(page);
      await closeAfterLeaving(page, panelOf(page));
      await tabTo(page, page.getByRole("button", { name: "Choose a model" }));
      await press(page, "Enter");
      const models = page.getByRole("dialog", { name: "Model", exact: true });
      await models.waitFor();
      await closeAfterLeaving(page, models);
    },
  );

  it("Tab keeps the focus in the sheet", async () => {
    const page = await toFirstCard(await shared());
    for (let presses = 0; presses < 30; presses++) {
      await press(page, "Tab");
      await hasFocusIn(page);
    }
  });

  longTest(
    "another shortcut can be chosen, which stays after a reload, and the first one can be had back",
    async () => {
      const page = await withCards();
      await press(page, "?");
      const field = page.getByLabel("Open panel");
      await tabTo(page, field);
      await press(page, "Alt+Shift+K");
      await page.getByText("Set to Alt+Shift+K.").waitFor();
      await press(page, "Escape");
      await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor({ state: "detached" });
      await press(page, "Escape");
      await panelOf(page).waitFor({ state: "detached" });
      await page.reload();
      await knows(page, 3);
      expect(await pill(page).getAttribute("aria-keyshortcuts")).toBe("Alt+Shift+K");
      await press(page, "Control+Shift+M");
      await press(page, "Alt+Shift+K");
      await hasFocus(wordsOf(page, TERRACE));
      await press(page, "?");
      await tabTo(page, page.getByRole("button", { name: "Reset" }));
      await press(page, "Enter", "Escape");
      await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor({ state: "detached" });
      await press(page, "Control+Shift+M");
      await panelOf(page).waitFor({ state: "detached" });
    },
  );

  longTest("? shows all keys", async () => {
    const page = await withCards();
    await press(page, "?");
    const keys = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await keys.waitFor();
    const shown = ["↑ ↓", "Enter", "Shift+Enter", "P", "Del", "Ctrl+Z", "/", "Esc", "?"];
    expect(await keys.locator("kbd").allTextContents()).toEqual(expect.arrayContaining(shown));
    await press(page, "Escape");
    await keys.waitFor({ state: "detached" });
    expect(await panelOf(page).isVisible()).toBe(true);
  });
});

/**
 * Presses Escape, moves the focus to the message field when the closing animation begins, and expects it there at its
 * end.
 */
async function closeAfterLeaving(page: Page, popup: Locator): Promise<void> {
  const message = page.locator("textarea[aria-label=Message]");
  const element = await popup.elementHandle();
  await message.evaluate((field, closing) => {
    if (closing === null) throw new TypeError("There is no popup to close.");
    new MutationObserver(() => field.focus()).observe(closing, { attributeFilter: ["data-closed"] });
  }, element);
  await press(page, "Escape");
  await page.waitForFunction((closing) => closing?.isConnected === false, element);
  expect(await message.evaluate((field) => field === document.activeElement)).toBe(true);
}

describe("the cards, by keyboard", { timeout: 120_000 }, () => {
  it("↑ and ↓ go from card to card, over the groups", async () => {
    const page = await toFirstCard(await shared());
    for (const [key, text] of [
      ["ArrowDown", SHORT],
      ["ArrowDown", PORTO],
      ["ArrowDown", PORTO],
      ["ArrowUp", SHORT],
      ["Home", TERRACE],
      ["End", PORTO],
    ] as const) {
      await press(page, key);
      await hasFocus(wordsOf(page, text));
    }
    const ring = await styleOf(card(page, PORTO), "outline-style");
    expect(ring).toBe("solid");
  });

  longTest("the tabs are changed with the arrows", async () => {
    const page = await withCards();
    const panel = panelOf(page);
    await tabTo(page, panel.getByRole("tab", { name: "All" }), "Shift+Tab");
    await press(page, "ArrowRight", "ArrowRight");
    await hasFocus(panel.getByRole("tab", { name: "Preferences" }));
    await hasCount(cards(page), 1);
    await press(page, "Tab");
    await hasFocus(wordsOf(page, SHORT));
  });

  it("P pins and unpins, and the pin is offered at the focus", async () => {
    const page = await toFirstCard(await shared());
    await page.mouse.move(10, 10);
    await press(page, "ArrowDown");
    const pin = panelOf(page).locator("[data-action=pin]").and(page.getByLabel(SHORT));
    expect(await styleOf(pin, "opacity")).toBe("1");
    await press(page, "p");
    await card(page, SHORT).and(page.locator("[data-pinned=true]")).waitFor();
    await hasFocus(wordsOf(page, SHORT));
    await press(page, "p");
    await card(page, SHORT).and(page.locator("[data-pinned=false]")).waitFor();
    await tabTo(page, panelOf(page).getByRole("button", { name: `Pin: ${SHORT}` }));
    await press(page, "Enter");
    await card(page, SHORT).and(page.locator("[data-pinned=true]")).waitFor();
    await press(page, "Enter");
    await card(page, SHORT).and(page.locator("[data-pinned=false]")).waitFor();
  });

  it("Enter edits and saves, and the card has the focus again", async () => {
    const page = await toFirstCard(await shared());
    await press(page, "ArrowDown", "Enter");
    await hasFocus(editor(page));
    await page.keyboard.type(" with examples");
    await press(page, "Enter");
    await hasFocus(wordsOf(page, `${SHORT} with examples`));
    await page.reload();
    await knows(page, 3);
    await press(page, "Control+Shift+M");
    await card(page, `${SHORT} with examples`).waitFor();
  });

  longTest("Escape leaves an edit, then the panel", async () => {
    const page = await withCards();
    await press(page, "ArrowDown", "Enter");
    await hasFocus(editor(page));
    await page.keyboard.type(" or not");
    await press(page, "Escape");
    await hasFocus(wordsOf(page, SHORT));
    await press(page, "Escape");
    await panelOf(page).waitFor({ state: "detached" });
  });

  it("Shift+Enter expands a card; Ctrl+Enter saves text and category", async () => {
    const page = await toFirstCard(await shared());
    await press(page, "ArrowDown", "Shift+Enter");
    await hasFocus(editor(page));
    const category = (name: string) => panelOf(page).getByRole("radio", { name });
    await press(page, "Control+A");
    await page.keyboard.type("Wants short answers");
    await press(page, "Enter");
    await page.keyboard.type("and examples");
    await press(page, "Tab");
    await hasFocus(category("Preference"));
    await press(page, "ArrowUp");
    expect(await category("Work").isChecked()).toBe(true);
    await press(page, "Shift+Tab", "Control+Enter");
    await panelOf(page).getByRole("region", { name: "Work" }).getByText("Wants short answers").waitFor();
    await hasFocus(card(page, "Wants short answers").locator("[data-fact-focus]"));
  });

  longTest("Shift+Enter expands a quick fix too, with what was written in it", async () => {
    const page = await withCards();
    await press(page, "ArrowDown", "Enter");
    await hasFocus(editor(page));
    await page.keyboard.type(" now");
    await press(page, "Shift+Enter");
    await panelOf(page).getByRole("radiogroup", { name: "Category" }).waitFor();
    expect(await editor(page).inputValue()).toBe(`${SHORT} now`);
  });

  longTest("a source is reached with Tab, and Enter jumps there", async () => {
    const page = await open();
    await tabTo(page, page.getByRole("button", { name: "Try the demo" }).first());
    await press(page, "Enter");
    await answers(page).getByText("You're welcome.").waitFor();
    await knows(page, 10);
    await press(page, "Control+Shift+M");
    await hasFocusIn(page);
    await press(page, "End");
    await tabTo(
      page,
      cards(page)
        .last()
        .getByRole("button", { name: /^From / }),
    );
    await press(page, "Enter");
    await panelOf(page).waitFor({ state: "detached" });
    await page.getByRole("article").filter({ hasText: "My name is Mara" }).getByText("Here").waitFor();
  });
});
