import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { isLong, longTest } from "../../../packages/throughline/test/long-tests.ts";
import {
  card,
  cards,
  clearAll,
  clearedBar,
  forget,
  knows,
  openPanel,
  panelOf,
  remember,
  stretchUndo,
} from "./memories.ts";
import { answers, questions, say } from "./say.ts";
import { placesOf } from "./stored.ts";
import { serveStudio } from "./studio.ts";

const { open } = serveStudio();

const FERNS = "Waters the ferns on Mondays";
const BEES = "Keeps bees on the roof";

/** A tab with two memories and an open panel. Its clock is fixed at the given time; timers run. */
async function withMemories(): Promise<Page> {
  const page = await open({ time: BEGIN });
  await openPanel(page);
  await remember(page, FERNS, BEES);
  return page;
}

const BEGIN = Date.UTC(2030, 0, 1);

function setTime(page: Page, milliseconds: number): Promise<void> {
  return page.context().clock.setFixedTime(BEGIN + milliseconds);
}

type Leave = (page: Page) => Promise<Page>;

const leaveBy: Readonly<Record<string, Leave>> = {
  "reloading the page": async (page) => {
    await page.reload();
    return page;
  },
  "closing the tab and opening another": async (page) => {
    await page.close();
    return open({ beside: page });
  },
};

/** Clicks and goes away before anything else can happen. */
async function clickAndReload(page: Page, name: string): Promise<void> {
  const button = panelOf(page).getByRole("button", { name, exact: true });
  await Promise.all([
    page.waitForEvent("load"),
    button.evaluate((element: HTMLElement) => {
      element.click();
      location.reload();
    }),
  ]);
}

function undoOf(page: Page) {
  return page.getByRole("region", { name: /Memory notifications/ }).getByRole("button", { name: "Undo" });
}

/** Texts in a list of deleted memories. */
async function deleted(page: Page): Promise<readonly string[]> {
  await panelOf(page)
    .getByText(/Recently deleted/)
    .click();
  const list = panelOf(page).getByRole("list", { name: "Recently deleted" });
  return list.getByRole("button").evaluateAll((buttons) => buttons.map((button) => button.ariaLabel ?? ""));
}

describe.each(Object.entries(leaveBy).slice(0, isLong ? undefined : 1))("%s", { timeout: 120_000 }, (_, leave) => {
  it.each<readonly [string, (page: Page) => Promise<void>]>([
    ["in the moment of a deletion", async () => undefined],
    ...(isLong
      ? ([
          ["while a deletion can be undone", (page: Page) => undoOf(page).waitFor()],
          ["when a deletion is over", (page: Page) => undoOf(page).waitFor({ state: "detached" })],
        ] as const)
      : []),
  ])("%s leaves it deleted, with a way back", async (_when, wait) => {
    const before = await withMemories();
    await forget(before, FERNS);
    await wait(before);
    const page = await leave(before);
    await knows(page, 1);
    await openPanel(page);
    expect(await deleted(page)).toEqual([`Restore: ${FERNS}`]);
    await panelOf(page)
      .getByRole("button", { name: `Restore: ${FERNS}` })
      .click();
    await card(page, FERNS).waitFor();
    await knows(await leave(page), 2);
  });

  longTest("in the moment of an undo leaves what came back", async () => {
    const before = await open({ before: stretchUndo });
    await openPanel(before);
    await remember(before, FERNS, BEES);
    await forget(before, FERNS);
    await undoOf(before).click();
    await knows(await leave(before), 2);
  });

  it.each<readonly [number, string]>([
    [7_001, "1s"],
    ...(isLong
      ? ([
          [0, "8s"],
          [3_000, "5s"],
        ] as const)
      : []),
  ])("%i ms after clearing goes on counting, and it can be undone", async (time, left) => {
    const before = await withMemories();
    await clearAll(before);
    await setTime(before, time);
    const page = await leave(before);
    await knows(page, 0);
    await clearedBar(page).getByText(left, { exact: true }).waitFor();
    await clearedBar(page).getByRole("button", { name: "Undo" }).click();
    await knows(page, 2);
    await clearedBar(page).waitFor({ state: "detached" });
    await setTime(page, 100_000);
    const later = await leave(page);
    await knows(later, 2);
    await openPanel(later);
    expect(await cards(later).count()).toBe(2);
  });

  it.each(isLong ? [8_000, 86_400_000] : [8_000])("%i ms after clearing leaves no cleared data", async (time) => {
    const before = await withMemories();
    expect(await placesOf(before, "ferns")).toContain("throughline.memory");
    await clearAll(before);
    await setTime(before, time);
    const page = await leave(before);
    await expectNothingOf(page);
  });
});

describe("clearing in a tab that stays open", { timeout: 120_000 }, () => {
  longTest("leaves no trace of what was cleared when its time is over", async () => {
    const page = await open();
    await openPanel(page);
    await remember(page, FERNS, BEES);
    await forget(page, FERNS);
    await clearAll(page);
    await clearedBar(page).waitFor();
    await clearedBar(page).waitFor({ state: "detached" });
    await expectNothingOf(page);
  });

  longTest("leaves what was learned in a conversation unlearned, although its words still stand there", async () => {
    const page = await open();
    await page.getByRole("button", { name: "Try the demo" }).click();
    await answers(page).getByText("You're welcome.").waitFor();
    await openPanel(page);
    await card(page, "Porto").waitFor();
    await clearAll(page);
    await clearedBar(page).waitFor();
    await clearedBar(page).waitFor({ state: "detached" });
    await page.reload();
    await answers(page).getByText("You're welcome.").waitFor();
    const before = await questions(page).last().getAttribute("aria-setsize");
    const words = ["Hello.", "Good.", "I see.", "Fine.", "I live in Oslo."];
    for (const one of words) await say(page, one);
    await questions(page).getByText("I live in Oslo.").waitFor();
    expect(await questions(page).last().getAttribute("aria-setsize")).toBe(String(Number(before) + words.length));
    await knows(page, 1);
    await openPanel(page);
    await card(page, "Oslo").waitFor();
    expect(await cards(page).count()).toBe(1);
  });
});

async function expectNothingOf(page: Page): Promise<void> {
  await expect.poll(() => placesOf(page, "ferns")).toEqual([]);
  expect(await placesOf(page, "bees")).toEqual([]);
  await page.reload();
  await knows(page, 0);
  await openPanel(page);
  await panelOf(page).getByText("No memories yet.").waitFor();
  expect(await clearedBar(page).count()).toBe(0);
  const found = panelOf(page).getByText(/Recently deleted/);
  expect(await found.count()).toBe(0);
}

describe("reloading in the very moment of a click", { timeout: 120_000 }, () => {
  longTest(
    "leaves a memory pinned, without its pin, or deleted, and what an undo of clearing brought back",
    async () => {
      const page = await withMemories();
      await clickAndReload(page, `Pin: ${FERNS}`);
      await openPanel(page);
      await clickAndReload(page, `Unpin: ${FERNS}`);
      await openPanel(page);
      await panelOf(page)
        .getByRole("button", { name: `Pin: ${FERNS}`, exact: true })
        .waitFor();
      await clickAndReload(page, `Delete: ${FERNS}`);
      await knows(page, 1);
      await openPanel(page);
      expect(await deleted(page)).toEqual([`Restore: ${FERNS}`]);
      await clearAll(page);
      await clearedBar(page).waitFor();
      await clickAndReload(page, "Undo");
      await knows(page, 1);
      await setTime(page, 100_000);
      await page.reload();
      await knows(page, 1);
    },
  );

  longTest("leaves cleared memories cleared, with their undo", async () => {
    const page = await withMemories();
    await panelOf(page).getByRole("button", { name: "Clear all memory" }).click();
    await clickAndReload(page, "Clear");
    await clearedBar(page).waitFor();
    await knows(page, 0);
  });
});
