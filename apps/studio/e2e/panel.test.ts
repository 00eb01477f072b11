import { describe, expect, it } from "vitest";
import { longTest } from "../../../packages/throughline/test/long-tests.ts";
import { card, cards, closePanel, knows, openPanel, panelOf, pill, remember } from "./memories.ts";
import {
  boxOf,
  hasCount,
  hasFocus,
  importLines,
  PORTO,
  reopenPanel,
  SHORT,
  styleOf,
  TERRACE,
  themeColor,
  toasts,
  withOneOfEach,
  wordsOf,
} from "./panel.ts";
import { answers } from "./say.ts";
import { serveStudio } from "./studio.ts";

const { open, share } = serveStudio();
const withCards = share(withOneOfEach);
const withDemo = share(async (page) => {
  await page.getByRole("button", { name: "Try the demo" }).click();
  await answers(page).getByText("You're welcome.").waitFor();
  await knows(page, 10);
});

describe("opening the panel, by mouse", { timeout: 120_000 }, () => {
  it("is a pill in the header of the conversation, with the count and an arrow", async () => {
    const page = await open();
    await knows(page, 0);
    await openPanel(page);
    await remember(page, TERRACE);
    await closePanel(page);
    expect((await pill(page).textContent())?.trim()).toBe("1 memory");
    await openPanel(page);
    await remember(page, SHORT);
    await closePanel(page);
    expect((await pill(page).textContent())?.trim()).toBe("2 memories");
    expect(await page.locator("header").locator(pill(page)).locator("svg").count()).toBe(1);
  });

  it("opens a sheet on the right, over a conversation that stays visible, dimmed", async () => {
    const page = await withDemo();
    const sheet = await boxOf(await openPanel(page));
    expect(sheet).toMatchObject({ y: 0, height: 800 });
    expect(sheet.x + sheet.width).toBe(1_280);
    expect(sheet.width).toBeLessThan(640);
    const said = await boxOf(answers(page).last());
    expect(said.x).toBeLessThan(sheet.x);
    // The overlay darkens the text and does not blur it.
    const cover = await page.evaluate(
      ([x, y]) => {
        const element = document.elementFromPoint(x, y);
        const { backgroundColor, opacity, backdropFilter } = getComputedStyle(element ?? document.body);
        return { alpha: Number(/([\d.]+)\)$/.exec(backgroundColor)?.[1]), opacity, backdropFilter };
      },
      [said.x + 20, said.y + 20] as const,
    );
    expect(cover).toMatchObject({ opacity: "1", backdropFilter: "none" });
    expect(cover.alpha).toBeGreaterThan(0.1);
    expect(cover.alpha).toBeLessThan(0.6);
    await closePanel(page);
  });

  longTest("takes the focus in, and gives it back to the pill after a click outside", async () => {
    const page = await withCards();
    await reopenPanel(page);
    await closePanel(page);
    await hasFocus(pill(page));
    await openPanel(page);
    await hasFocus(wordsOf(page, TERRACE));
    await page.mouse.click(400, 400);
    await panelOf(page).waitFor({ state: "detached" });
    await hasFocus(pill(page));
  });
});

const SPOKEN = { project: "Work", preference: "Preference", identity: "You" };

describe("the cards", { timeout: 120_000 }, () => {
  longTest(
    "show their category as the color of their edge, and once as an icon and a word over the group",
    async () => {
      const page = await withCards();
      await reopenPanel(page);
      const colors = new Set<string>();
      for (const [text, category, word] of [
        [TERRACE, "project", "Work"],
        [SHORT, "preference", "Preferences"],
        [PORTO, "identity", "You"],
      ] as const) {
        const edge = await styleOf(card(page, text), "border-left-color");
        expect(edge).toBe(await themeColor(page, category));
        colors.add(edge);
        expect(await styleOf(card(page, text), "border-left-width")).toBe("3px");
        const heading = panelOf(page).getByRole("heading", { name: `${word} 1` });
        expect(await boxOf(heading.locator("svg"))).toMatchObject({ width: 14, height: 14 });
        expect(await styleOf(heading.locator("svg"), "color")).toBe(edge);
        // On the card, only screen readers read the word.
        expect((await boxOf(card(page, text).getByText(SPOKEN[category], { exact: true }))).width).toBe(1);
      }
      expect(colors.size).toBe(3);
    },
  );

  longTest("stand in groups by category, with a line between them", async () => {
    const page = await open();
    const panel = await withOneOfEach(page);
    await remember(page, "Migrating to Postgres");
    const headings = panel.getByRole("heading", { level: 3 });
    const names = (await headings.allTextContents()).map((name) => name.trim());
    expect(names).toEqual(["Work 2", "Preferences 1", "You 1"]);
    expect(await styleOf(headings.first(), "height", "::after")).toBe("1px");
    const work = panel.getByRole("region", { name: "Work" });
    expect(await work.getByRole("listitem").count()).toBe(2);
    expect((await boxOf(card(page, TERRACE))).y).toBeLessThan((await boxOf(card(page, SHORT))).y);
    expect((await boxOf(card(page, SHORT))).y).toBeLessThan((await boxOf(card(page, PORTO))).y);
  });

  it("are filtered by category tabs, without a search", async () => {
    const page = await withCards();
    const panel = await reopenPanel(page);
    expect(await panel.getByRole("tab").allTextContents()).toEqual(["All 3", "Work 1", "Preferences 1", "You 1"]);
    for (const [tab, text] of [
      ["Work", TERRACE],
      ["Preferences", SHORT],
      ["You", PORTO],
    ] as const) {
      await panel.getByRole("tab", { name: tab }).click();
      await hasCount(cards(page), 1);
      await card(page, text).waitFor();
    }
    await panel.getByRole("tab", { name: "All" }).click();
    await hasCount(cards(page), 3);
    expect(await panel.getByRole("searchbox").count()).toBe(0);
    expect(await panel.getByRole("textbox").count()).toBe(1);
  });

  it("show the confidence as a bar with a text label: 60% for a manual fact", async () => {
    const page = await withCards();
    await reopenPanel(page);
    const bar = card(page, TERRACE).getByRole("meter", { name: "Confidence 60%" });
    const { width, height } = await boxOf(bar.locator("span"));
    expect(height).toBeLessThanOrEqual(4);
    expect(width / (await boxOf(bar)).width).toBeCloseTo(0.6, 1);
    expect(await bar.getAttribute("title")).toBe("Confidence 60%: mentioned once. It rises each time you mention it.");
    expect(await bar.getAttribute("aria-valuetext")).toBe("60%");
    expect(await card(page, TERRACE).textContent()).not.toMatch(/60|0\.6/);
  });

  longTest("show 75% of what was learned", async () => {
    const page = await open();
    await page.getByRole("button", { name: "Try the demo" }).click();
    await knows(page, 10);
    await openPanel(page);
    const bar = card(page, "Name is Mara").getByRole("meter", { name: "Confidence 75%" });
    expect((await boxOf(bar.locator("span"))).width / (await boxOf(bar)).width).toBeCloseTo(0.75, 1);
  });

  longTest("grow surer when the same is told again: by hand by more", async () => {
    const page = await open();
    await withOneOfEach(page);
    await remember(page, TERRACE);
    await panelOf(page).getByText("Already remembered (more confident now)").waitFor();
    await card(page, TERRACE).getByRole("meter", { name: "Confidence 85%" }).waitFor();
    expect(await cards(page).count()).toBe(3);
  });

  longTest("say that something was added by hand, with nothing to jump to", async () => {
    const page = await open();
    await withOneOfEach(page);
    await card(page, PORTO).getByText("Added by you").waitFor();
    expect(await card(page, PORTO).getByRole("button", { name: "Added by you" }).count()).toBe(0);
  });

  it("show the conversation that a fact came from, with its day, and jump to the message", async () => {
    const page = await withDemo();
    await openPanel(page);
    const source = card(page, "Lives in Porto now").getByRole("button", {
      name: /^From Demo: a planner for roof gardens · \w+ \d+$/,
    });
    await source.click();
    await panelOf(page).waitFor({ state: "detached" });
    const said = page.getByRole("article").filter({ hasText: "I live in Porto now" });
    await said.getByText("Here").waitFor();
  });
});

describe("pins", { timeout: 120_000 }, () => {
  longTest("are offered only where the mouse is", async () => {
    const page = await open();
    await withOneOfEach(page);
    await page.mouse.move(10, 10);
    const pin = card(page, SHORT).getByRole("button", { name: `Pin: ${SHORT}` });
    expect(await styleOf(pin, "opacity")).toBe("0");
    await card(page, SHORT).hover();
    expect(await styleOf(pin, "opacity")).toBe("1");
    expect(await styleOf(card(page, PORTO).getByRole("button", { name: `Pin: ${PORTO}` }), "opacity")).toBe("0");
  });

  it("add a 1 px orange border to a card, and survive a reload", async () => {
    const page = await withCards();
    const panel = await reopenPanel(page);
    const orange = await themeColor(page, "brand");
    expect(await styleOf(card(page, SHORT), "border-right-color")).not.toBe(orange);
    await card(page, SHORT).hover();
    await panel.getByRole("button", { name: `Pin: ${SHORT}` }).click();
    const unpin = panel.getByRole("button", { name: `Unpin: ${SHORT}` });
    await unpin.waitFor();
    expect(await styleOf(card(page, SHORT), "border-right-color")).toBe(orange);
    await page.reload();
    await openPanel(page);
    await unpin.waitFor();
    expect(await styleOf(card(page, SHORT), "border-right-color")).toBe(orange);
    expect(await styleOf(unpin, "opacity")).toBe("1");
    await unpin.click();
    await panel.getByRole("button", { name: `Pin: ${SHORT}` }).waitFor();
    expect(await styleOf(card(page, SHORT), "border-right-color")).not.toBe(orange);
  });

  longTest("are ten at the most, and the eleventh is explained", async () => {
    const page = await open();
    const panel = await openPanel(page);
    await importLines(page, PLANTS);
    for (const plant of PLANTS) {
      await card(page, plant).hover();
      await panel.getByRole("button", { name: `Pin: ${plant}` }).click();
      if (plant !== PLANTS.at(-1)) await panel.getByRole("button", { name: `Unpin: ${plant}` }).waitFor();
    }
    await toasts(page).getByText("You can pin up to 10 memories. Unpin one first.", { exact: true }).waitFor();
    expect(await panel.locator("[data-pinned=true]").count()).toBe(10);
    await card(page, PLANTS[0])
      .getByRole("button", { name: `Unpin: ${PLANTS[0]}` })
      .click();
    await panel.getByRole("button", { name: `Pin: ${PLANTS[0]}` }).waitFor();
    await card(page, PLANTS[10]).hover();
    await panel.getByRole("button", { name: `Pin: ${PLANTS[10]}` }).click();
    await panel.getByRole("button", { name: `Unpin: ${PLANTS[10]}` }).waitFor();
    await page.reload();
    await openPanel(page);
    await hasCount(panel.locator("[data-pinned=true]"), 10);
  });
});

const PLANTS = [
  "Waters the aloe",
  "Waters the basil",
  "Waters the cactus",
  "Waters the dill",
  "Waters the elder",
  "Waters the fern",
  "Waters the grape",
  "Waters the holly",
  "Waters the iris",
  "Waters the jasmine",
  "Waters the kale",
] as const;

describe("on a screen of 360 px", { timeout: 120_000 }, () => {
  longTest("the sheet fills the screen, and everything in it can be reached", async () => {
    const page = await open({ width: 360, height: 740 });
    const panel = await withOneOfEach(page);
    expect(await boxOf(panel)).toEqual({ x: 0, y: 0, width: 360, height: 740 });
    // The words of a card take the clicks on all of it.
    expect((await boxOf(cards(page).first())).height).toBeGreaterThanOrEqual(24);
    // All in one call: to hover over each takes seconds.
    const controls = await panel
      .locator("button:visible:not([data-fact-focus]):enabled, input:visible:enabled")
      .evaluateAll((all) =>
        all.map((control) => {
          control.scrollIntoView({ block: "nearest" });
          const { left, right, top, width, height } = control.getBoundingClientRect();
          const hit = document.elementFromPoint(left + width / 2, top + height / 2);
          const name = control.getAttribute("aria-label") ?? control.textContent;
          return { name, left, right, size: Math.min(width, height), isReached: control.contains(hit) };
        }),
      );
    for (const { name, left, right, size, isReached } of controls) {
      expect({ name, isReached }).toEqual({ name, isReached: true });
      expect(left, name).toBeGreaterThanOrEqual(0);
      expect(right, name).toBeLessThanOrEqual(360);
      expect(size, name).toBeGreaterThanOrEqual(24);
    }
    expect(controls.length).toBeGreaterThan(12);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  });

  longTest("an expanded edit, the ticks, the question before clearing and the keys fit as well", async () => {
    const page = await open({ width: 360, height: 740 });
    const panel = await withOneOfEach(page);
    await panel.getByRole("button", { name: `Expand: ${SHORT}` }).click();
    await fits(panel.getByRole("radiogroup", { name: "Category" }));
    await panel.getByRole("button", { name: "Cancel" }).click();
    await panel.getByRole("button", { name: "Manage" }).click();
    await panel.getByRole("checkbox", { name: "Select all" }).check();
    for (const name of ["Delete 3 memories", "Pin", "Category", "Done"])
      await fits(panel.getByRole("button", { name }));
    await panel.getByRole("button", { name: "Done" }).click();
    await panel.getByRole("button", { name: "Clear all memory" }).click();
    await fits(panel.getByText("This will remove all 3 facts"));
    await panel.getByRole("button", { name: "Cancel" }).click();
    await panel.getByRole("button", { name: "Keyboard shortcuts" }).click();
    await fits(page.getByRole("dialog", { name: "Keyboard shortcuts" }));
    await page.keyboard.press("Escape");
    await closePanel(page);
    await hasFocus(pill(page));
  });
});

async function fits(locator: ReturnType<typeof panelOf>): Promise<void> {
  await locator.waitFor();
  await locator.hover();
  const { x, y, width, height } = await boxOf(locator);
  expect(Math.min(x, y)).toBeGreaterThanOrEqual(0);
  expect(x + width).toBeLessThanOrEqual(360);
  expect(y + height).toBeLessThanOrEqual(740);
}
