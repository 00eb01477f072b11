import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { longTest } from "../../../packages/throughline/test/long-tests.ts";
import { closePanel, openPanel, remember } from "./memories.ts";
import { type ModelServer, type Reply, startModelServer } from "./model-server.ts";
import { answers, ask, questions, say } from "./say.ts";
import { placesOf } from "./stored.ts";
import { serveStudio } from "./studio.ts";

let model: ModelServer;
beforeAll(async () => {
  model = await startModelServer(reply);
});
afterAll(() => model.close());

const { open } = serveStudio({ model: () => ({ url: model.baseUrl, model: "tiny" }), reusesTab: true });

/** Responds with facts to an extraction, prose to a summary request, and a long text to anything else. */
function reply(question: string): Reply {
  if (question.includes("Return only a JSON array")) {
    const fact = { fact: "User plays the oboe", category: "identity", confidence: "high", updates_previous: false };
    return { words: question.includes("oboe") ? ["```json\n", JSON.stringify([fact]), "\n```"] : ["[]"] };
  }
  if (question.startsWith("long")) return { words: [`${"Many words about gardens. ".repeat(220)}The end.`] };
  return { words: ["All right."] };
}

describe("memory in the chat", { timeout: 180_000 }, () => {
  it("learns by rules from a demo, replaces outdated facts, and shows the source of each fact", async () => {
    const page = await open();
    await page.getByRole("button", { name: "Try the demo" }).click();
    await page.getByRole("button", { name: /^10 memories/ }).waitFor();
    await expect.poll(() => isInView(answers(page).getByText("brings them back"))).toBe(true);
    await page.getByRole("button", { name: /^10 memories/ }).click();
    const panel = page.getByRole("dialog", { name: "Memories" });
    await panel.getByText("Lives in Porto now").waitFor();
    await panel.getByText("Before: Lives in Lisbon").waitFor();
    // The conversation gets its name after the last chunk.
    await panel
      .getByText(/^Demo: a planner/)
      .nth(5)
      .waitFor();
    await panel.getByRole("searchbox", { name: "Search memories" }).fill("porto");
    await panel.getByRole("tab", { name: "All 1" }).waitFor();
    expect(await panel.locator("[data-fact-id]").count()).toBe(1);
    await panel.getByRole("button", { name: "Clear search" }).click();
    // The focus is on the message after a jump to a source.
    await panel
      .getByRole("button", { name: /^From Demo/ })
      .last()
      .click();
    await panel.waitFor({ state: "hidden" });
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("ARTICLE");
    // The demo has separate data and leaves nothing behind.
    await page.getByRole("button", { name: "New chat" }).first().click();
    await page.getByRole("button", { name: /^0 memories/ }).waitFor();
    await page.getByRole("button", { name: "Try the demo" }).click();
    await page.getByRole("button", { name: "Remove demo" }).click();
    await page.getByText("Your chats will appear here.").waitFor();
    expect(await placesOf(page, "Porto")).toEqual([]);
  });

  longTest("learns with the model after five messages, and never blocks typing", async () => {
    const page = await open({ withModel: true });
    await ask(page, "I play the oboe in an orchestra.");
    await ask(page, "And now?");
    await say(page, "One more.");
    await page.getByRole("textbox", { name: "Message" }).fill("I am still typing");
    await page.getByRole("button", { name: /^1 memory/ }).waitFor();
    expect(await page.getByRole("textbox", { name: "Message" }).inputValue()).toBe("I am still typing");
  });

  longTest("learns when the conversation is left before five messages", async () => {
    const page = await open();
    await say(page, "I live in Oslo.");
    await say(page, "I prefer short answers.");
    await page.getByRole("button", { name: "New chat" }).first().click();
    await page.getByRole("button", { name: /^2 memories/ }).waitFor();
  });

  longTest(
    "learns before five messages what was said up to the very moment in which the conversation is left",
    async () => {
      const page = await open();
      await say(page, "I live in Oslo.");
      await questions(page).getByText("I live in Oslo.").waitFor();
      await page.getByRole("textbox", { name: "Message" }).fill("I prefer short answers.");
      await page.getByRole("button", { name: "Send", exact: true }).evaluate((send: HTMLElement) => {
        const leave = [...document.querySelectorAll("button")].find(
          ({ textContent }) => textContent.trim() === "New chat",
        );
        send.click();
        leave?.click();
      });
      await page.getByRole("button", { name: /^2 memories/ }).waitFor();
    },
  );

  it("adds only memories that the message asks for to the prompt, and lists them under the answer", async () => {
    const page = await open({ withModel: true });
    await tell(page, "I live in Oslo");
    await ask(page, "Write a haiku about rain.");
    const asked = model.asked.findLast(({ stream }) => stream === true);
    expect(JSON.stringify(asked?.messages)).not.toContain("Oslo");
    await ask(page, "Where do I live?");
    const system = model.asked.findLast(({ stream }) => stream === true)?.messages[0];
    expect(system).toMatchObject({ role: "system" });
    expect(JSON.stringify(system?.content)).toContain(
      "## What you know about this user\\n\\nAbout user:\\n- Lives in Oslo",
    );
    await page.getByRole("button", { name: /Used 1 memory/ }).click();
    await answers(page).getByText("Lives in Oslo").waitFor();
    // It is shown again after a reload, from the receipt.
    await page.reload();
    await page.getByRole("button", { name: /Used 1 memory/ }).waitFor();
  });

  it("shows the context usage, summarizes with a note in the conversation, and undoes it", async () => {
    const page = await open({ withModel: true });
    for (const at of [1, 2, 3]) {
      await ask(page, `long ${at}`);
    }
    await page.getByRole("log", { name: "Messages" }).press("Home");
    await page.getByRole("button", { name: /^Context \d+% full/ }).click();
    const before = await tokensOf(page, "History");
    await page.getByRole("button", { name: "Summarize now" }).click();
    const note = page.getByRole("button", { name: /earlier messages? summarized/ });
    await note.waitFor();
    // The ring is right at once.
    await expect.poll(() => tokensOf(page, "History")).toBeLessThan(before);
    await page.keyboard.press("Escape");
    await expect.poll(() => isInView(note)).toBe(true);
    await note.click();
    await page.getByText("Summary sent instead").waitFor();
    await page.getByRole("button", { name: "Undo summary" }).click();
    await page.getByText(/Undone\. The model gets/).waitFor();
    await page.getByRole("button", { name: /^Context \d+% full/ }).click();
    await expect.poll(() => tokensOf(page, "History")).toBe(before);
    await page.keyboard.press("Escape");
    await ask(page, "Go on.");
    await page.getByRole("button", { name: /^Context \d+% full/ }).click();
    expect(await tokensOf(page, "History")).toBeGreaterThan(before * 0.9);
  });

  longTest("summarizes by itself before the window is full, with every message still there", async () => {
    const page = await open({ withModel: true });
    for (let at = 1; at <= 9; at++) {
      await ask(page, `long ${at}`);
    }
    const asked = model.asked.findLast(({ stream }) => stream === true);
    expect(JSON.stringify(asked?.messages)).toContain("## Earlier in this conversation");
    expect(JSON.stringify(asked?.messages)).toContain("long 1");
  });

  longTest("tells for the last turn what was counted and injected", async () => {
    const page = await open({ withModel: true });
    await tell(page, "I am building Terrace");
    await ask(page, "What next?");
    await page.keyboard.press("Control+Shift+D");
    const view = page.getByRole("dialog", { name: "Request details" });
    await view.getByText("Building Terrace").waitFor();
    await view.getByText("First request").click();
    await view.getByText("What next?").first().waitFor();
  });

  longTest("remembers words that were highlighted in an answer", async () => {
    const page = await open({ withModel: true });
    await ask(page, "Anything");
    await answers(page).getByText("All right.").selectText();
    await page.getByRole("button", { name: /Remember$/ }).click();
    await page.getByRole("button", { name: /^1 memory/ }).click();
    const panel = page.getByRole("dialog", { name: "Memories" });
    await panel.getByRole("listitem").filter({ hasText: "All right." }).first().waitFor();
    await panel.getByText(/^Anything$/).waitFor();
  });
});

async function tell(page: Page, text: string): Promise<void> {
  await openPanel(page);
  await remember(page, text);
  await closePanel(page);
}

/** True if the element is wholly visible in the list of messages. */
async function isInView(place: Locator): Promise<boolean> {
  return place.evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    const top = document.elementFromPoint(x + width / 2, y + 2);
    const bottom = document.elementFromPoint(x + width / 2, y + height - 2);
    return [top, bottom].every((one) => one !== null && (element.contains(one) || one.contains(element)));
  });
}

/** The tokens of a part of the window, from its breakdown. */
async function tokensOf(page: Page, part: string): Promise<number> {
  const row = page.getByRole("row").filter({ has: page.getByRole("rowheader", { name: part }) });
  return Number((await row.getByRole("cell").first().textContent())?.replaceAll(",", ""));
}
