import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createServer } from "@throughline/server";
import { type Browser, chromium, type Page } from "playwright-core";
import { FLAGS } from "../../../packages/throughline/test/browser/browser-flags.ts";
import { ensureProgram, programs } from "../../../tools/ensure-program.mjs";
import { cliFolder } from "../../../tools/paths.mjs";
import { startModelServer } from "../e2e/model-server.ts";
import { ask } from "../e2e/say.ts";
import { memoryPictures } from "./memory-pictures.ts";

// npm run screenshots: the pictures of the docs, taken from the Studio as it is built.

const folder = fileURLToPath(new URL("../../../docs/images", import.meta.url));
mkdirSync(folder, { recursive: true });

const WIDE = { width: 1_280, height: 800 };
const NARROW = { width: 360, height: 740 };

interface Look {
  readonly theme?: "light" | "dark";
  readonly size?: { readonly width: number; readonly height: number };
}

const model = await startModelServer(() => ({
  words: ["Porto it is: **wetter and windier** than Lisbon. I would keep sedum and thyme, and move the lavender."],
}));
const server = await createServer({
  port: 0,
  studio: join(cliFolder, "dist", "studio"),
  model: { url: model.baseUrl, model: "tiny" },
});
const browser: Browser = await chromium.launch({
  executablePath: await ensureProgram(programs.chromium),
  args: FLAGS,
});

try {
  await chatPictures();
  await panelPictures();
  await otherLooks();
  await memoryPictures(server.url, await open({}), take);
} finally {
  await browser.close();
  await server.close();
  await model.close();
}

async function chatPictures(): Promise<void> {
  const page = await open({});
  await take(page, "chat-empty");
  await page.getByRole("button", { name: "No model" }).click();
  await take(page, "model-picker");
  await page.getByRole("button", { name: /Add an endpoint/ }).click();
  await take(page, "model-endpoint");
  await page.reload();
  await demo(page);
  await take(page, "chat");
  await page.evaluate(() => localStorage.setItem("throughline.models.choice", "server"));
  await page.reload();
  await page.getByRole("button", { name: /tiny/ }).waitFor();
  await ask(page, "Where do I live, and what does that mean for my app?");
  await page
    .getByRole("button", { name: /Used \d+ memor/ })
    .last()
    .click();
  await take(page, "chat-why");
  await page.getByRole("button", { name: /^Context/ }).click();
  await take(page, "chat-window");
  await page.getByRole("button", { name: "Summarize now" }).click();
  await page.getByRole("button", { name: /summarized/ }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /summarized/ }).click();
  await take(page, "chat-condensed");
  await page.keyboard.press("Control+Shift+D");
  await take(page, "chat-debug");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Temporary" }).click();
  await take(page, "chat-temporary");
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("heading", { name: "Settings" }).waitFor();
  await take(page, "settings");
}

async function panelPictures(): Promise<void> {
  const page = await open({});
  await page.keyboard.press("Control+Shift+M");
  await take(page, "panel-empty");
  await page.keyboard.press("Escape");
  await demo(page);
  await page.keyboard.press("Control+Shift+M");
  const panel = page.getByRole("dialog", { name: "Memories" });
  await take(page, "panel");
  const card = panel.getByRole("listitem").filter({ hasText: "TypeScript" });
  await card.locator("[data-fact-focus]").click();
  await take(page, "panel-edit");
  await page.keyboard.press("Escape");
  await card.getByRole("button", { name: /expand/i }).click();
  await take(page, "panel-expanded");
  await page.keyboard.press("Escape");
  await panel.getByRole("button", { name: "Manage" }).click();
  await panel.getByRole("checkbox").nth(1).check({ force: true });
  await panel.getByRole("checkbox").nth(2).check({ force: true });
  await take(page, "panel-manage");
  await panel.getByRole("button", { name: "Done" }).click();
  await card.getByRole("button", { name: /delete/i }).click();
  await take(page, "panel-undo");
  await panel.getByRole("button", { name: "Clear all memory" }).click();
  await take(page, "panel-clear");
  await panel
    .getByRole("button", { name: /^(Clear|Remove)/ })
    .last()
    .click();
  await take(page, "panel-cleared");
}

async function otherLooks(): Promise<void> {
  for (const { name, ...look } of [
    { name: "dark", theme: "dark", size: WIDE },
    { name: "narrow", theme: "light", size: NARROW },
    { name: "narrow-dark", theme: "dark", size: NARROW },
  ] as const) {
    const page = await open(look);
    await demo(page);
    await take(page, `chat-${name}`);
    await page.keyboard.press("Control+Shift+M");
    await take(page, `panel-${name}`);
  }
}

async function open({ theme = "light", size = WIDE }: Look): Promise<Page> {
  const context = await browser.newContext({
    viewport: size,
    colorScheme: theme,
    reducedMotion: "reduce",
    serviceWorkers: "block",
  });
  const page = await context.newPage();
  await page.goto(server.url);
  await page.getByRole("textbox", { name: "Message" }).waitFor();
  return page;
}

async function demo(page: Page): Promise<void> {
  const start = page.getByRole("button", { name: /demo/i });
  await start.first().click();
  await page.getByRole("button", { name: /^10 memories/ }).waitFor({ state: "attached" });
}

async function take(page: Page, name: string): Promise<void> {
  // Animations have ended, and the pointer hovers over nothing.
  await page.mouse.move(2, 2);
  await page.waitForTimeout(400);
  await page.screenshot({ path: `${folder}/${name}.png` });
}
