import { gzipSync } from "node:zlib";
import type { Locator, Page, Response } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { longTest } from "../../../packages/throughline/test/long-tests.ts";
import { cards, knows, openPanel, pill, remember } from "./memories.ts";
import { type ModelServer, type Reply, startModelServer } from "./model-server.ts";
import { boxOf, importLines } from "./panel.ts";
import { readDownload } from "./read-download.ts";
import { answered, answers, ask, questions, say } from "./say.ts";
import { serveStudio } from "./studio.ts";

let model: ModelServer;
beforeAll(async () => {
  model = await startModelServer(reply);
});
afterAll(() => model.close());

const { open } = serveStudio({ model: () => ({ url: model.baseUrl, model: "tiny" }), reusesTab: true });

const HEBREW = "אני גר בתל אביב ועובד על תכנון גגות. אילו צמחים מתאימים?";

function reply(question: string): Reply {
  if (question.includes("Return only a JSON array")) return { words: ["[]"] };
  if (question === "think") return { thoughts: "Soil is heavy.", words: ["Fifteen centimeters."] };
  if (question === "tool") return { words: ["Let me look."], tool: "web_search" };
  if (question === "hang") return { words: [], hangs: true };
  if (question === "slow") return { words: ["One ", "two ", ...Array<string>(400).fill("more ")], pause: 50 };
  if (question === HEBREW) return { words: ["בתל אביב חם. אפשר לשתול:\n\n- `thyme` (קורנית)"] };
  return { words: ["All right."] };
}

// `npm test` holds replies, files and memories of the chat without a browser, in `src/app`.
describe("a reply", { timeout: 120_000 }, () => {
  longTest("has its reasoning folded, and opens it on request", async () => {
    const page = await open({ withModel: true });
    await ask(page, "think");
    const thoughts = page.getByText("Soil is heavy.");
    expect(await thoughts.isVisible()).toBe(false);
    await page.getByRole("button", { name: "Reasoning" }).click();
    await thoughts.waitFor();
  });

  longTest(
    "that calls a tool says that there is none, and one that never comes is given up; both keep the conversation",
    async () => {
      const page = await open({ withModel: true, isNew: true });
      await ask(page, "tool");
      await answers(page).getByText("asked to use a tool (“web_search”)").waitFor();
      await answers(page).getByText("Let me look.").waitFor();
      await page.clock.install();
      await say(page, "hang");
      await expect.poll(() => JSON.stringify(model.asked.at(-1)?.messages.at(-1))).toContain("hang");
      await page.clock.fastForward("02:01");
      await answers(page)
        .getByText(/didn't reply within 120 s\. Your conversation is unchanged\. Try again/)
        .waitFor();
      // Another reply can be requested once the notes of this one have been read.
      await answers(page).last().getByRole("button", { name: "Try again" }).waitFor();
    },
  );

  longTest("is followed by a message that was sent meanwhile", async () => {
    const page = await open({ withModel: true });
    await say(page, "slow");
    await answers(page).getByText("One two").waitFor();
    const field = page.getByRole("textbox", { name: "Message" });
    await field.fill("Next, please");
    await field.press("Enter");
    await page.getByText("Queued:").waitFor();
    await page.getByRole("button", { name: "Stop the reply" }).click();
    await questions(page).getByText("Next, please").waitFor();
    await answered(page, 4);
    expect(await page.getByText("Queued:").count()).toBe(0);
  });
});

describe("a conversation", { timeout: 120_000 }, () => {
  it("uses the direction of each text: message, answer, title and list", async () => {
    const page = await open({ withModel: true });
    await ask(page, HEBREW);
    await ask(page, "And in English?");
    const directionOf = (place: Locator) => place.evaluate((element) => getComputedStyle(element).direction);
    expect(await directionOf(questions(page).first().getByText("תל אביב"))).toBe("rtl");
    expect(await directionOf(answers(page).first().locator("ul"))).toBe("rtl");
    expect(await directionOf(questions(page).last().getByText("And in English?"))).toBe("ltr");
    expect(await directionOf(page.getByRole("navigation").getByText("תל אביב").first())).toBe("rtl");
    expect(await directionOf(page.locator("header").getByText("תל אביב").first())).toBe("rtl");
  });

  longTest("sends an attached text file with its name", async () => {
    const page = await open({ withModel: true });
    const file = { name: "plants.csv", mimeType: "text/csv", buffer: Buffer.from("name,depth\nthyme,15\n") };
    await page.locator("input[type=file]").first().setInputFiles(file);
    await page.getByRole("button", { name: "Remove plants.csv" }).waitFor();
    await ask(page, "Which fit?");
    await questions(page).getByText("plants.csv").waitFor();
    expect(JSON.stringify(model.asked.findLast(({ stream }) => stream)?.messages)).toContain("thyme,15");
  });

  it("is found by words of a message, exported, deleted and brought back", async () => {
    const page = await open({ withModel: true });
    await ask(page, "Plan the beds");
    await ask(page, "Where does the rosemary go?");
    await page.getByRole("button", { name: "New chat" }).first().click();
    await page.getByRole("searchbox", { name: "Search chats" }).fill("rosemary");
    await page.getByRole("list", { name: "Search results" }).getByText("Plan the beds").click();
    await questions(page).getByText("Where does the rosemary go?").waitFor();
    await page.getByRole("button", { name: "Clear search" }).click();
    expect(await exportAs(page, "Markdown")).toContain("Where does the rosemary go?");
    expect(JSON.parse(await exportAs(page, "JSON"))).toMatchObject({ title: "Plan the beds" });
    await chooseForChat(page, "Delete");
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    const row = page.getByRole("navigation").getByRole("button", { name: "Plan the beds", exact: true });
    await row.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Undo deleting Plan the beds" }).click();
    await row.click();
    await questions(page).getByText("Where does the rosemary go?").waitFor();
  });

  longTest("says at a message that only a part of it was sent", async () => {
    const page = await open({ withModel: true });
    await ask(page, `Read this: ${"we talked about soil, wind and water. ".repeat(1_500)}`);
    await questions(page)
      .getByText(/too long for the model: only the beginning and the end/)
      .waitFor();
  });

  longTest("names the server of the page, and no permission, if it cannot be reached", async () => {
    const page = await open({ withModel: true, isNew: true });
    await ask(page, "Hello");
    await page.context().setOffline(true);
    await ask(page, "Are you there?");
    await answers(page)
      .getByText(/This page's server .* can't be reached\. Your conversation is unchanged/)
      .waitFor();
    expect(await answers(page).last().textContent()).not.toContain("CORS");
  });
});

describe("memory", { timeout: 120_000 }, () => {
  longTest("is left out and not offered where it is off: in one chat, and in a temporary one", async () => {
    const page = await open({ withModel: true });
    await openPanel(page);
    await remember(page, "I live in Oslo");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await page.locator("header").getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Turn memory off for this chat" }).click();
    await pill(page).getByText("Memory off").waitFor();
    await ask(page, "Where do I live?");
    expect(JSON.stringify(model.asked.findLast(({ stream }) => stream)?.messages)).not.toContain("Oslo");
    await page.getByRole("button", { name: "Temporary chat" }).click();
    await pill(page).getByText("Memory off").waitFor();
    await ask(page, "Where do I live?");
    expect(JSON.stringify(model.asked.findLast(({ stream }) => stream)?.messages)).not.toContain("Oslo");
    await answers(page).getByText("All right.").selectText();
    expect(await page.getByRole("button", { name: "Remember", exact: true }).count()).toBe(0);
  });

  longTest("is told, forgotten and learned by messages, each with an undo", async () => {
    const page = await open();
    await openPanel(page);
    await remember(page, "I live in Oslo", "I prefer tea");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await ask(page, "What do you know about me?");
    await answers(page).getByText("Lives in Oslo").waitFor();
    await say(page, "Forget that I live in Oslo.");
    await questions(page).getByText("Forgot: “Lives in Oslo”").waitFor();
    await knows(page, 1);
    await page.getByRole("button", { name: "Undo forgetting" }).click();
    await knows(page, 2);
    await say(page, "I work as a gardener.");
    const learned = questions(page).filter({ hasText: "gardener" });
    await learned.waitFor();
    await page.evaluate(hideTab);
    await learned.getByRole("button", { name: "Memory updated" }).click();
    await learned.getByText("Works as a gardener").waitFor();
    await knows(page, 3);
    await learned.getByRole("button", { name: "Undo memory update" }).click();
    await knows(page, 2);
  });

  longTest("shows nine whole cards at 1280 × 800", async () => {
    const page = await open();
    await openPanel(page);
    await importLines(page, [
      ...["The app is written in TypeScript", "The deadline is 14 March", "The database is PostgreSQL"],
      ...["Prefers short answers", "Prefers tea to coffee", "Dislikes emoji"],
      ...["Lives in Porto", "Works as a gardener", "Has two dogs"],
    ]);
    await page.reload();
    await knows(page, 9);
    const panel = await openPanel(page);
    const { y, height } = await boxOf(panel.getByRole("tabpanel"));
    const boxes = await Promise.all((await cards(page).all()).map(boxOf));
    expect(boxes.filter((box) => box.y >= y && box.y + box.height <= y + height)).toHaveLength(9);
  });
});

describe("the page", { timeout: 120_000 }, () => {
  it("starts without a problem, and with 400 kB of compressed code at most: no AI SDK, no markdown, no panel", async () => {
    const problems: string[] = [];
    const responses: Response[] = [];
    const page = await open({
      watch: (context) => {
        context.on("response", (response) => responses.push(response));
        context.on("console", (message) => message.type() === "error" && problems.push(message.text()));
      },
    });
    await page.waitForLoadState("networkidle");
    expect(problems).toEqual([]);
    expect(responses.filter((one) => one.status() >= 400).map((one) => one.url())).toEqual([]);
    const code = responses.filter((one) => /javascript|css|html/.test(one.headers()["content-type"] ?? ""));
    const bodies = await Promise.all(code.map((one) => one.body()));
    const bytes = bodies.reduce((sum, body) => sum + gzipSync(body, { level: 9 }).length, 0);
    expect(bytes).toBeGreaterThan(100_000);
    expect(bytes).toBeLessThanOrEqual(400_000);
  });

  longTest("leaves the title of a conversation room at 360 px", async () => {
    const page = await open({ withModel: true, width: 360, height: 740 });
    await ask(page, "Planning the trip to the islands");
    const title = await boxOf(page.locator("header").getByText("Planning the trip"));
    expect(title.width).toBeGreaterThan(150);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  });
});

/** A hidden tab is read for memories. */
function hideTab(): void {
  Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}

async function chooseForChat(page: Page, action: string): Promise<void> {
  // Not forced: the first frame of a row that scrolls into view has no button that a click could hit.
  await page.getByRole("button", { name: "More for Plan the beds" }).click();
  await page.getByRole("menuitem", { name: action }).click();
}

async function exportAs(page: Page, format: "Markdown" | "JSON"): Promise<string> {
  const download = page.waitForEvent("download");
  await chooseForChat(page, `Export as ${format}`);
  return (await readDownload(download)).toString("utf8");
}
