import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { longTest } from "../../../packages/throughline/test/long-tests.ts";
import { card, cards, knows, openPanel, panelOf, pill, remember } from "./memories.ts";
import {
  boxOf,
  editor,
  hasCount,
  hasFocus,
  PORTO,
  SHORT,
  stopClock,
  styleOf,
  TERRACE,
  themeColor,
  toasts,
  withOneOfEach,
  wordsOf,
} from "./panel.ts";
import { answers, questions, say } from "./say.ts";
import { serveStudio } from "./studio.ts";

const { open } = serveStudio();

describe("a card, by mouse", { timeout: 120_000 }, () => {
  longTest("is open for a quick fix after one click, without any delay", async () => {
    const page = await open();
    await withOneOfEach(page);
    await stopClock(page);
    await wordsOf(page, SHORT).click();
    // No time has passed in the page since the click.
    await hasFocus(editor(page));
    expect(await editor(page).inputValue()).toBe(SHORT);
    expect(await panelOf(page).getByRole("radiogroup").count()).toBe(0);
  });

  it("is saved with Enter, and keeps text and category changed when expanded", async () => {
    const page = await open();
    const panel = await withOneOfEach(page);
    await wordsOf(page, SHORT).click();
    await editor(page).fill("Prefers long answers");
    await editor(page).press("Enter");
    await hasFocus(wordsOf(page, "Prefers long answers"));
    await wordsOf(page, PORTO).dblclick();
    await editor(page).fill("Wants a house in Porto\nand no lease");
    await panel.getByRole("radio", { name: "Preference" }).check();
    await panel.getByRole("button", { name: "Save" }).click();
    const preferences = panel.getByRole("region", { name: "Preferences" });
    await preferences.getByText("Wants a house in Porto").waitFor();
    await page.reload();
    await openPanel(page);
    await preferences.getByText("Prefers long answers").waitFor();
    await preferences.getByText("Wants a house in Porto and no lease").waitFor();
    expect(await card(page, SHORT).count()).toBe(0);
    expect(await panel.getByRole("region", { name: "You" }).count()).toBe(0);
    expect(await cards(page).count()).toBe(3);
  });

  longTest("stays as it was after Escape, and so does the sheet", async () => {
    const page = await open();
    await withOneOfEach(page);
    await wordsOf(page, SHORT).click();
    await editor(page).fill("Prefers long answers");
    await editor(page).press("Escape");
    await hasFocus(wordsOf(page, SHORT));
    expect(await card(page, "long").count()).toBe(0);
    await page.reload();
    await openPanel(page);
    await card(page, SHORT).waitFor();
  });

  longTest("expands to a text area and a category after a double click", async () => {
    const page = await open();
    await withOneOfEach(page);
    await wordsOf(page, SHORT).dblclick();
    await isExpanded(page);
  });

  longTest("expands by a button that appears with the pointer", async () => {
    const page = await open();
    const panel = await withOneOfEach(page);
    await page.mouse.move(10, 10);
    const expand = panel.getByRole("button", { name: `Expand: ${SHORT}` });
    await expect.poll(() => styleOf(expand, "opacity")).toBe("0");
    await card(page, SHORT).hover();
    await expect.poll(() => styleOf(expand, "opacity")).toBe("1");
    await expand.click();
    await isExpanded(page);
  });

  longTest("has a green pulse at its left edge when it was saved", async () => {
    const page = await open({ hasMotion: true });
    await withOneOfEach(page);
    await stopClock(page);
    await wordsOf(page, SHORT).click();
    await editor(page).fill("Prefers long answers");
    await editor(page).press("Enter");
    const pulse = card(page, "Prefers long answers").locator("[data-saved-pulse]");
    expect(await styleOf(pulse, "background-color")).toBe(await themeColor(page, "good"));
    expect(await styleOf(pulse, "animation-duration")).toBe("0.6s");
    expect((await boxOf(pulse)).x).toBe((await boxOf(card(page, "Prefers long answers"))).x);
    expect(await card(page, "Prefers long answers").getByText("Saved").isVisible()).toBe(false);
  });

  longTest("has the word “Saved” in place of the pulse where motion is not wanted", async () => {
    const page = await open();
    await withOneOfEach(page);
    await stopClock(page);
    await wordsOf(page, SHORT).click();
    await editor(page).fill("Prefers long answers");
    await editor(page).press("Enter");
    const word = card(page, "Prefers long answers").getByText("Saved");
    await word.waitFor();
    expect(await card(page, "long").locator("[data-saved-pulse]").isVisible()).toBe(false);
    await page.clock.runFor(2_000);
    await word.waitFor({ state: "detached" });
  });
});

async function isExpanded(page: Page): Promise<void> {
  await panelOf(page).getByRole("radiogroup", { name: "Category" }).waitFor();
  const choices = panelOf(page).getByRole("radiogroup", { name: "Category" });
  expect(await choices.getByRole("radio", { checked: true }).count()).toBe(1);
  expect(await choices.getByRole("radio", { name: "Preference" }).isChecked()).toBe(true);
  expect(await choices.locator("label").allTextContents()).toEqual(["Work", "Preference", "You"]);
  expect(await editor(page).inputValue()).toBe(SHORT);
  expect((await boxOf(editor(page))).height).toBeGreaterThan(50);
  await hasFocus(editor(page));
}

describe("Manage, by mouse", { timeout: 120_000 }, () => {
  longTest("puts a box to tick on each card and a bar at the bottom, and takes them away again", async () => {
    const page = await open();
    const panel = await withOneOfEach(page);
    expect(await panel.getByRole("checkbox").count()).toBe(0);
    await panel.getByRole("button", { name: "Manage" }).click();
    for (const text of [TERRACE, SHORT, PORTO]) await panel.getByRole("checkbox", { name: text }).waitFor();
    const bar = panel.getByRole("toolbar", { name: "Selected memories" });
    const { y, height } = await boxOf(bar);
    expect(y + height).toBe(800);
    expect(await bar.getByRole("button", { name: "Delete 0" }).isDisabled()).toBe(true);
    await panel.getByRole("button", { name: "Done" }).click();
    expect(await panel.getByRole("checkbox").count()).toBe(0);
    await bar.waitFor({ state: "detached" });
  });

  longTest("ticks all, and none", async () => {
    const page = await open();
    const panel = await withOneOfEach(page);
    await panel.getByRole("button", { name: "Manage" }).click();
    const all = panel.getByRole("checkbox", { name: "Select all" });
    await card(page, SHORT).click();
    await panel.getByText("1 of 3 selected").waitFor();
    expect(await all.evaluate((box: HTMLInputElement) => box.indeterminate)).toBe(true);
    await all.click();
    await panel.getByText("3 of 3 selected").waitFor();
    await all.click();
    await panel.getByText("0 of 3 selected").waitFor();
  });

  longTest("ticks a range with Shift", async () => {
    const page = await open();
    const panel = await withOneOfEach(page);
    await remember(page, "Migrating to Postgres");
    await panel.getByRole("button", { name: "Manage" }).click();
    const boxes = panel.getByRole("listitem").getByRole("checkbox");
    await boxes.nth(1).click();
    await boxes.nth(3).click({ modifiers: ["Shift"] });
    await panel.getByText("3 of 4 selected").waitFor();
    expect(await boxes.nth(0).isChecked()).toBe(false);
  });

  longTest("deletes what is ticked, with one undo for all of it", async () => {
    const page = await open();
    const panel = await withOneOfEach(page);
    await panel.getByRole("button", { name: "Manage" }).click();
    await panel.getByRole("checkbox", { name: SHORT }).check();
    await panel.getByRole("checkbox", { name: PORTO }).check();
    await panel.getByRole("button", { name: "Delete 2 memories" }).click();
    await toasts(page).getByText("Deleted 2 memories").hover();
    expect(await cards(page).count()).toBe(1);
    await toasts(page).getByRole("button", { name: "Undo" }).click();
    await hasCount(cards(page), 3);
  });

  longTest("pins and unpins what is ticked", async () => {
    const page = await open();
    const panel = await withOneOfEach(page);
    await panel.getByRole("button", { name: "Manage" }).click();
    await panel.getByRole("checkbox", { name: "Select all" }).check();
    await panel.getByRole("button", { name: "Pin", exact: true }).click();
    await hasCount(panel.locator("[data-pinned=true]"), 3);
    await panel.getByRole("button", { name: "Unpin", exact: true }).click();
    await hasCount(panel.locator("[data-pinned=true]"), 0);
  });

  longTest("moves what is ticked to another category", async () => {
    const page = await open();
    const panel = await withOneOfEach(page);
    await panel.getByRole("button", { name: "Manage" }).click();
    await panel.getByRole("checkbox", { name: "Select all" }).check();
    await panel.getByRole("button", { name: "Category" }).click();
    await page.getByRole("menuitem", { name: "Preferences" }).click();
    await hasCount(panel.getByRole("region", { name: "Preferences" }).getByRole("listitem"), 3);
    await page.reload();
    await openPanel(page);
    await panel.getByRole("tab", { name: "Preferences 3" }).waitFor();
  });
});

describe("a manual memory", { timeout: 120_000 }, () => {
  it("is listed and announced under its category", async () => {
    const page = await open();
    const panel = await openPanel(page);
    for (const [text, group] of [
      [TERRACE, "Work"],
      [SHORT, "Preferences"],
      [PORTO, "You"],
    ] as const) {
      await panel.getByPlaceholder("+ Remember something…").fill(text);
      await panel.getByRole("button", { name: "Remember", exact: true }).click();
      const said = panel.getByRole("status").filter({ hasText: `Saved to ${group}` });
      await said.waitFor();
      await panel.getByRole("region", { name: group, exact: true }).getByText(text).waitFor();
      await said.getByRole("button", { name: "Edit", exact: true }).click();
      await panel.getByRole("radiogroup", { name: "Category" }).waitFor();
      await page.keyboard.press("Escape");
      await panel.getByRole("radiogroup", { name: "Category" }).waitFor({ state: "detached" });
    }
  });

  longTest("is offered at words that the mouse marks in an answer", async () => {
    const page = await open();
    await page.getByRole("button", { name: "Try the demo" }).click();
    await answers(page).getByText("You're welcome.").waitFor();
    await knows(page, 10);
    const { x, y } = await boxOf(answers(page).getByText("You're welcome."));
    await page.mouse.move(x + 1, y + 10);
    await page.mouse.down();
    await page.mouse.move(x + 220, y + 10, { steps: 5 });
    await page.mouse.up();
    const floating = page.getByRole("button", { name: "Remember", exact: true });
    expect(await floating.textContent()).toBe("🧠 Remember");
    await floating.click();
    await page.getByText(/^Saved to You: “You're welcome/).waitFor();
    await knows(page, 11);
    expect(await pill(page).getAttribute("aria-expanded")).toBe("false");
  });

  longTest("is what the first conversation invites to", async () => {
    const page = await open();
    await page.getByRole("heading", { name: "A chat that shows what it remembers" }).waitFor();
    await page.getByRole("button", { name: /^About me/ }).click();
    const field = page.getByRole("textbox", { name: "Message" });
    await hasFocus(field);
    expect(await field.inputValue()).toBe("I'm ");
    await say(page, "I'm a landscape gardener");
    await say(page, "I live in Porto");
    await questions(page).getByText("I live in Porto").waitFor();
    await page.getByRole("button", { name: "New chat" }).first().click();
    await knows(page, 2);
  });
});
