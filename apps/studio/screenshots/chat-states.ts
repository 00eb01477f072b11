import type { Page } from "playwright-core";
import { ask, questions, say } from "../e2e/say.ts";
import { drawBeds } from "./draw-beds.ts";

interface AttachedFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

/** Saves a picture of the page under this name. */
type Take = (page: Page, name: string) => Promise<void>;

export interface OpenTabOptions {
  /** Uses the server's model. */
  readonly withModel: boolean;
  /** The model accepts images. */
  readonly seesImages?: boolean;
}

/** Opens a new person's tab. */
type OpenTab = (options: OpenTabOptions) => Promise<Page>;

interface Around {
  readonly open: OpenTab;
  readonly take: Take;
}

/** Pictures of every state of the chat, the panel and the settings. */
export async function chatStates(around: Around): Promise<void> {
  await firstScreens(around);
  await conversation(around);
  await attachments(around);
  await answers(around);
  await interruption(around);
  await scripts(around);
  await contextAndSummary(around);
  await panelStates(around);
  await exchange(around);
  await places(around);
}

async function firstScreens({ open, take }: Around): Promise<void> {
  const page = await open({ withModel: false });
  await take(page, "first");
  await page.getByRole("button", { name: "No model" }).click();
  await page.getByText("Your endpoints").waitFor();
  await take(page, "model-picker");
  await page.getByRole("button", { name: /Add an endpoint/ }).click();
  await take(page, "model-endpoint");
  await page.reload();
  await page.getByRole("button", { name: "Try the demo" }).click();
  await page.getByRole("button", { name: /^10 memories/ }).waitFor({ state: "attached" });
  await take(page, "demo");
  await openSidebar(page);
  await page.getByRole("button", { name: "Temporary chat" }).click();
  await take(page, "temporary");
}

async function conversation({ open, take }: Around): Promise<void> {
  const page = await open({ withModel: true });
  await take(page, "first-with-model");
  await ask(page, "Hi! I prefer short answers.");
  await ask(page, "I live in Porto. Which herbs do well on a roof there?");
  await ask(page, "And where should the lavender go?");
  await page.getByText("Memory updated").last().waitFor();
  await take(page, "conversation");
  await page.getByText("Memory updated").last().click();
  await take(page, "memory-updated");
  await ask(page, "Where do I live, again?");
  await page
    .getByRole("button", { name: /^Used \d/ })
    .last()
    .click();
  await take(page, "used-memories");
  await questions(page).last().click();
  await page.getByRole("button", { name: "Edit and resend" }).last().click();
  await take(page, "edit-message");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Remember this" }).last().click();
  await take(page, "remember-answer");
  await page.keyboard.press("Escape");
}

async function attachments({ open, take }: Around): Promise<void> {
  const texts = [
    { name: "plants.csv", mimeType: "text/csv", buffer: Buffer.from("name,depth\nthyme,15\nsedum,10\n") },
    { name: "notes.md", mimeType: "text/markdown", buffer: Buffer.from("# Roof\n25 cm deep\n") },
  ];
  const roof = { name: "roof.png", mimeType: "image/png", buffer: drawBeds() };
  const page = await open({ withModel: true });
  await attach(page, [roof]);
  await page.getByText(/doesn't take images/).waitFor();
  await take(page, "image-refused");
  await page.getByRole("button", { name: "Dismiss" }).click();
  await attach(page, texts);
  await page.getByRole("textbox", { name: "Message" }).fill("Which of these fit?");
  await take(page, "attachments");
  await ask(page, "Which of these fit?");
  await take(page, "attachments-sent");
  const seeing = await open({ withModel: true, seesImages: true });
  await attach(seeing, [roof, ...texts]);
  await seeing.getByRole("textbox", { name: "Message" }).fill("What grows here?");
  await take(seeing, "image");
  await ask(seeing, "What grows here?");
  await take(seeing, "image-sent");
}

async function attach(page: Page, files: readonly AttachedFile[]): Promise<void> {
  await page
    .locator("input[type=file]")
    .first()
    .setInputFiles([...files]);
}

async function answers({ open, take }: Around): Promise<void> {
  const page = await open({ withModel: true });
  await ask(page, "How deep must the soil be?");
  await take(page, "reasoning-folded");
  await page.getByText("Reasoning").last().click();
  await take(page, "reasoning");
  await say(page, "Plan the beds, please.");
  await page.getByText("windward").last().waitFor();
  await page.getByRole("textbox", { name: "Message" }).fill("And the paths?");
  await page.getByRole("textbox", { name: "Message" }).press("Enter");
  await take(page, "streaming");
  await page.getByRole("button", { name: "Edit queued message" }).click();
  await page.getByRole("textbox", { name: "Message" }).fill("");
  await page.getByRole("button", { name: "Stop the reply" }).click();
  await page.getByRole("article").getByText("Stopped").waitFor();
  await take(page, "stopped");
  await ask(page, "Where does the water come from?");
  await take(page, "failed");
  await page.context().setOffline(true);
  await ask(page, "Is it dry enough?");
  await take(page, "offline");
  await page.context().setOffline(false);
}

/** The tab is reloaded while a reply is written. */
async function interruption({ open, take }: Around): Promise<void> {
  const page = await open({ withModel: true });
  await ask(page, "Show me a table and some code");
  await take(page, "long-answer");
  await say(page, "Plan the beds, please.");
  await page.getByText("40 cm between them").last().waitFor();
  await page.reload();
  await page.getByRole("button", { name: "Continue" }).waitFor();
  await take(page, "continue");
}

async function scripts({ open, take }: Around): Promise<void> {
  const page = await open({ withModel: true });
  await ask(page, "אני גר בתל אביב ועובד על `roof-planner`. אילו צמחים מתאימים?");
  await ask(page, "And in English, with 日本語 and العربية in one line?");
  await take(page, "rtl");
  await openSidebar(page);
  await take(page, "rtl-sidebar");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+Shift+M");
  const panel = page.getByRole("dialog", { name: "Memories" });
  for (const fact of ["אני גר בתל אביב", "I work with יעל on the roof planner"]) {
    await panel.getByRole("textbox", { name: "Remember something" }).fill(fact);
    await page.keyboard.press("Enter");
    await panel
      .getByRole("listitem")
      .filter({ hasText: fact.slice(-8) })
      .waitFor();
  }
  await take(page, "rtl-panel");
}

async function contextAndSummary({ open, take }: Around): Promise<void> {
  const page = await open({ withModel: true });
  for (const text of ["How deep should the beds be?", "Where should the paths go?", "How much water will it need?"])
    await ask(page, text);
  await page.getByRole("button", { name: /^Context/ }).click();
  await take(page, "context");
  await page.getByRole("button", { name: "Summarize now" }).click();
  await page.getByRole("button", { name: /summarized/ }).waitFor();
  await page.keyboard.press("Escape");
  await take(page, "summary");
  await page.getByRole("button", { name: /summarized/ }).click();
  await take(page, "summary-open");
  await page.getByRole("button", { name: "Undo summary" }).click();
  await take(page, "summary-undone");
  await page.keyboard.press("Control+Shift+D");
  await page.getByRole("dialog").waitFor();
  await take(page, "request");
  await page.keyboard.press("Escape");
  await ask(page, `Read this letter: ${"We met on the roof and talked about soil, wind and water. ".repeat(800)}`);
  await page.getByText(/too long for the model/).waitFor();
  await take(page, "not-sent");
}

async function panelStates({ open, take }: Around): Promise<void> {
  const page = await open({ withModel: false });
  await page.keyboard.press("Control+Shift+M");
  const panel = page.getByRole("dialog", { name: "Memories" });
  await panel.waitFor();
  await take(page, "panel-empty");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Try the demo" }).click();
  await page.getByRole("button", { name: /^10 memories/ }).waitFor({ state: "attached" });
  await page.keyboard.press("Control+Shift+M");
  await panel.waitFor();
  const card = panel.getByRole("listitem").filter({ hasText: "TypeScript" });
  await card.locator("[data-fact-focus]").focus();
  await page.keyboard.press("p");
  await take(page, "panel");
  await card.locator("[data-fact-focus]").click();
  await take(page, "panel-edit");
  await page.keyboard.press("Shift+Enter");
  await take(page, "panel-expanded");
  await page.keyboard.press("Escape");
  await panel.getByRole("searchbox").fill("port");
  await take(page, "panel-search");
  await panel.getByRole("searchbox").fill("");
  await panel.getByRole("textbox", { name: "Remember something" }).fill("My dog is called Bolt");
  await page.keyboard.press("Enter");
  await panel.getByText("Saved to").waitFor();
  await take(page, "panel-added");
  await panel.getByRole("button", { name: /shortcuts/i }).click();
  await take(page, "panel-keys");
  await page.keyboard.press("Escape");
  await panel.getByRole("button", { name: "Manage" }).click();
  await panel.getByRole("checkbox").nth(1).check();
  await panel.getByRole("checkbox").nth(2).check();
  await take(page, "panel-manage");
  await panel.getByRole("button", { name: "Done" }).click();
  await card.hover();
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

async function exchange({ open, take }: Around): Promise<void> {
  const page = await open({ withModel: false });
  await page.keyboard.press("Control+Shift+M");
  const panel = page.getByRole("dialog", { name: "Memories" });
  await panel.getByRole("button", { name: "Export and import" }).click();
  await take(page, "export-menu");
  await page.getByRole("menuitem", { name: "Import…" }).click();
  const lines = ["Lives in Porto", "Prefers short answers", "Prefers short answers", "Card 4111 1111 1111 1111"];
  await page.getByRole("textbox", { name: "Text to import" }).fill(lines.join("\n"));
  await page.getByRole("button", { name: "Preview" }).click();
  await page.getByText(/Nothing imported yet/).waitFor();
  await take(page, "import");
}

async function places({ open, take }: Around): Promise<void> {
  const page = await open({ withModel: true });
  for (const text of ["Trip to Porto in March", "Tests for the roof planner", "A name for the app"]) {
    await ask(page, text);
    await openSidebar(page);
    await page.getByRole("button", { name: "New chat" }).first().click();
  }
  await openSidebar(page);
  await take(page, "sidebar");
  await page.getByRole("textbox", { name: "Search chats" }).or(page.getByRole("searchbox")).first().fill("roof");
  await page.getByRole("list", { name: "Search results" }).waitFor();
  await take(page, "search");
  await page.getByRole("button", { name: "Clear search" }).click();
  await page.getByRole("button", { name: "More for Trip to Porto in March" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await take(page, "delete-chat");
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await take(page, "chat-deleted");
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("heading", { name: "Settings" }).waitFor();
  await take(page, "settings");
  await page.getByRole("heading", { name: "Keyboard shortcuts" }).scrollIntoViewIfNeeded();
  await take(page, "settings-end");
}

/** On narrow screens the list of chats is a drawer. */
async function openSidebar(page: Page): Promise<void> {
  const button = page.getByRole("button", { name: "Conversations", exact: true });
  if (await button.isVisible()) await button.click();
}
