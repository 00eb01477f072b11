import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isLong, longTest } from "../../../packages/throughline/test/long-tests.ts";
import {
  beginEdit,
  card,
  cards,
  clearAll,
  clearedBar,
  forget,
  holdClock,
  knows,
  openPanel,
  panelOf,
  remember,
} from "./memories.ts";
import { type ModelServer, startModelServer } from "./model-server.ts";
import { answered, answers, ask, questions, say } from "./say.ts";
import { serveStudio, type TabOptions } from "./studio.ts";

let model: ModelServer;
beforeAll(async () => {
  model = await startModelServer((question) => {
    if (question.includes("count slowly")) return { words: Array.from({ length: 60 }, (_, at) => `${at} `), pause: 50 };
    return { words: [`You said: ${question.slice(-60)}`] };
  });
});
afterAll(() => model.close());

const { open } = serveStudio({ model: () => ({ url: model.baseUrl, model: "tiny" }) });

const FERNS = "Waters the ferns on Mondays";
const BEES = "Keeps bees on the roof";

/** Two tabs of one user with open panels. */
async function twoPanels(options: TabOptions = {}): Promise<readonly [Page, Page]> {
  const one = await open(options);
  const other = await open({ beside: one });
  await openPanel(one);
  await openPanel(other);
  return [one, other];
}

/** Simulates switching to a tab, because a headless browser shows all tabs at once. */
async function turnTo(page: Page): Promise<void> {
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
}

const deaf: TabOptions = {
  before: () => {
    Reflect.deleteProperty(globalThis, "BroadcastChannel");
  },
};

describe("memories in two tabs", { timeout: 120_000 }, () => {
  it.each<readonly [string, TabOptions]>([
    ["while it stands beside", {}],
    ...(isLong ? [["as soon as the person turns to it", deaf] as const] : []),
  ])("a memory added, edited and deleted in one shows in the other %s", async (_, options) => {
    const [one, other] = await twoPanels(options);
    const look = async () => {
      if (options === deaf) await turnTo(other);
    };
    await remember(one, FERNS, BEES);
    await look();
    await card(other, FERNS).waitFor();
    await card(other, BEES).waitFor();

    const field = await beginEdit(one, BEES, "Keeps bees in the garden");
    await field.press("Enter");
    await field.waitFor({ state: "detached" });
    await look();
    await card(other, "Keeps bees in the garden").waitFor();
    expect(await cards(other).count()).toBe(2);

    await forget(one, FERNS);
    await one.reload();
    await knows(one, 1);
    await look();
    await card(other, FERNS).waitFor({ state: "detached" });
    await panelOf(other).getByText("Recently deleted (1)").waitFor();
  });

  longTest("an open edit is never overwritten by another tab's, and says that there was one", async () => {
    const [one, other] = await twoPanels();
    await remember(one, BEES);
    await card(other, BEES).waitFor();
    const written = await beginEdit(other, BEES, "Keeps bees on two roofs");

    const field = await beginEdit(one, BEES, "Keeps bees in the garden");
    await field.press("Enter");
    await panelOf(other).getByText("Changed elsewhere to “Keeps bees in the garden”").waitFor();
    await turnTo(other);
    expect(await written.inputValue()).toBe("Keeps bees on two roofs");
    expect(await written.evaluate((element) => element === document.activeElement)).toBe(true);

    await written.press("Enter");
    await written.waitFor({ state: "detached" });
    await card(one, "Keeps bees on two roofs").waitFor();
    expect([await cards(one).count(), await cards(other).count()]).toEqual([1, 1]);
  });

  longTest.each([
    ["deleted", (page: Page) => forget(page, BEES)],
    ["cleared", clearAll],
  ])("an open edit outlives that its memory is %s in another tab, and remembers it again", async (_, takeAway) => {
    const [one, other] = await twoPanels();
    await remember(one, BEES);
    await card(other, BEES).waitFor();
    const written = await beginEdit(other, BEES, "Keeps bees on two roofs");
    await holdClock(one);
    await takeAway(one);
    await turnTo(other);
    await panelOf(other).getByText("Deleted in another tab. Save to restore it.").waitFor();
    expect(await written.inputValue()).toBe("Keeps bees on two roofs");
    await written.press("Enter");
    await written.waitFor({ state: "detached" });
    await knows(other, 1);
    await turnTo(one);
    await card(one, "Keeps bees on two roofs").waitFor();
  });

  it("loses nothing when both tabs write concurrently", async () => {
    const [one, other] = await twoPanels();
    const things = ["ferns", "bees", ...(isLong ? ["clocks", "maps", "quilts", "stamps"] : [])];
    await Promise.all([
      remember(one, ...things.map((thing) => `Collects old ${thing}`)),
      remember(other, ...things.map((thing) => `Sells new ${thing} abroad`)),
    ]);
    for (const page of [one, other]) await knows(page, 2 * things.length);
    await Promise.all([forget(one, "Collects old ferns"), forget(other, "Sells new bees abroad")]);
    for (const page of [one, other]) await knows(page, 2 * things.length - 2);
    const third = await open({ beside: one });
    await knows(third, 2 * things.length - 2);
  });

  longTest("clearing in one tab hides all in the other, and either can undo it", async () => {
    const [one, other] = await twoPanels();
    await remember(one, FERNS, BEES);
    await card(other, BEES).waitFor();
    await holdClock(one);
    await clearAll(one);
    await clearedBar(one).waitFor();
    await turnTo(other);
    await clearedBar(other).waitFor();
    expect([await cards(one).count(), await cards(other).count()]).toEqual([0, 0]);

    await clearedBar(other).getByRole("button", { name: "Undo" }).click();
    await card(other, BEES).waitFor();
    await turnTo(one);
    await clearedBar(one).waitFor({ state: "detached" });
    await card(one, FERNS).waitFor();
    expect([await cards(one).count(), await cards(other).count()]).toEqual([2, 2]);
  });
});

describe("a conversation in two tabs", { timeout: 120_000 }, () => {
  async function twoChats(): Promise<readonly [Page, Page]> {
    const one = await open({ withModel: true });
    await ask(one, "Planning the trip");
    const other = await open({ beside: one });
    await other.getByRole("navigation").getByRole("button", { name: "Planning the trip", exact: true }).click();
    await answers(other).getByText("You said: Planning the trip").waitFor();
    return [one, other];
  }

  it("messages and answers appear in both tabs, and concurrent messages are kept", async () => {
    const [one, other] = await twoChats();
    await say(one, "By train, please");
    await answers(other).getByText("You said: By train, please").waitFor();
    await questions(other).getByText("By train, please").waitFor();
    await say(other, "In June");
    await answers(one).getByText("You said: In June").waitFor();
    expect([await questions(one).count(), await questions(other).count()]).toEqual([3, 3]);

    await answered(one, 6);
    await answered(other, 6);
    await Promise.all([say(one, "Said on the left"), say(other, "Said on the right")]);
    for (const page of [one, other]) {
      await questions(page).getByText("Said on the left").waitFor();
      await questions(page).getByText("Said on the right").waitFor();
      await answers(page).nth(4).waitFor();
      expect([await questions(page).count(), await answers(page).count()]).toEqual([5, 5]);
    }
  });

  longTest("keeps another version that one tab begins while the other is being answered", async () => {
    const [one, other] = await twoChats();
    await say(other, "count slowly");
    await answers(other).getByText(/0 1 2/).waitFor();
    await questions(one).first().hover();
    await one.getByRole("button", { name: "Edit and resend" }).first().click();
    const field = one.getByRole("textbox", { name: "Edit your message" });
    await field.fill("Planning another trip");
    await field.press("Enter");
    await answers(one).getByText("You said: Planning another trip").waitFor();
    await answers(other).getByText(/58 59/).waitFor();
    await answered(other, 4);
    const third = await open({ beside: one });
    await third.getByRole("navigation").locator("[data-conversation]").first().click();
    await third.getByRole("group", { name: "Versions" }).waitFor();
    expect(await third.getByRole("group", { name: "Versions" }).textContent()).toContain("2");
  });
});
