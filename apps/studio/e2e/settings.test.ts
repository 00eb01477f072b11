import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AxeLooks } from "./look-with-axe.ts";
import { clearedBar, knows, openPanel, pill, remember } from "./memories.ts";
import { type ModelServer, startModelServer } from "./model-server.ts";
import { ask } from "./say.ts";
import { serveStudio } from "./studio.ts";

let model: ModelServer;
beforeAll(async () => {
  model = await startModelServer(() => ({ words: ["All right."] }));
});
afterAll(() => model.close());

const { open } = serveStudio({ model: () => ({ url: model.baseUrl, model: "tiny" }), reusesTab: true });

describe("the settings", { timeout: 120_000 }, () => {
  it("change the theme and the language of dates and numbers, which a reload keeps", async () => {
    const page = await open({ theme: "light" });
    await openSettings(page);
    await page.getByRole("radio", { name: "Dark" }).click();
    await page.getByRole("combobox", { name: "Dates and numbers" }).click();
    await page.getByRole("option", { name: "Deutsch" }).click();
    await page.getByText("12.430").waitFor();
    await page.reload();
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe("dark");
    await openSettings(page);
    await page.getByText("12.430").waitFor();
  });

  it("add the person's instructions to every request", async () => {
    const page = await open({ withModel: true });
    await openSettings(page);
    await page.getByRole("textbox", { name: "Custom instructions" }).fill("Answer like a pirate.");
    await page.getByRole("button", { name: "Back to the chat" }).click();
    await ask(page, "Hello");
    const { messages } = model.asked.find(({ stream }) => stream === true) ?? { messages: [] };
    expect(JSON.stringify(messages[0])).toContain("Answer like a pirate.");
  });

  it("delete all memories with an undo and all chats after a question, and turn memory off", async () => {
    const page = await open({ withModel: true });
    await openPanel(page);
    await remember(page, "I live in Porto");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await ask(page, "Hello");
    await openSettings(page);
    await page.getByRole("button", { name: "Delete all memories" }).click();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await clearedBar(page).getByRole("button", { name: "Undo" }).click();
    await page.getByRole("button", { name: "Delete all chats" }).click();
    await page.getByText("This can't be undone").waitFor();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByText("Your chats will appear here.").waitFor();
    await page.getByRole("radio", { name: "Off" }).click();
    await page.getByRole("button", { name: "Back to the chat" }).click();
    await pill(page).getByText("Memory off").waitFor();
    await openSettings(page);
    await page.getByRole("radio", { name: "On", exact: true }).click();
    await page.getByRole("button", { name: "Back to the chat" }).click();
    await knows(page, 1);
  });

  it("have no accessibility violations on a narrow dark screen", async () => {
    const page = await open({ theme: "dark", width: 360, height: 740 });
    const axe = new AxeLooks(page);
    await page.getByRole("button", { name: "Conversations" }).click();
    await openSettings(page);
    await axe.at("settings");
    await page.getByRole("combobox", { name: "Dates and numbers" }).click();
    await page.getByRole("option", { name: "Deutsch" }).waitFor();
    await axe.at("languages open");
    expect(axe.violations).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  });
});

async function openSettings(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("heading", { name: "Settings", level: 1 }).waitFor();
}
