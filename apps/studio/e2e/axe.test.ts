import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isLong, longTest } from "../../../packages/throughline/test/long-tests.ts";
import { AxeLooks } from "./look-with-axe.ts";
import {
  beginEdit,
  card,
  clearAll,
  clearedBar,
  closePanel,
  forget,
  holdClock,
  openPanel,
  remember,
  stretchUndo,
} from "./memories.ts";
import { type ModelServer, startModelServer } from "./model-server.ts";
import { answers, ask, questions, say } from "./say.ts";
import { serveStudio, type TabOptions } from "./studio.ts";

let model: ModelServer;
beforeAll(async () => {
  model = await startModelServer((question) => {
    if (question.includes("count slowly"))
      return { words: Array.from({ length: 900 }, (_, at) => `${at} `), pause: 20 };
    if (question.includes("refuse")) return { words: [], status: 429 };
    return { words: [ANSWER] };
  });
});
afterAll(() => model.close());

const ANSWER =
  "## Plan\n\n- one\n- two\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n> so\n\n```ts\nconst a = 1;\n```\n[x](https://a.b)";

const { open } = serveStudio({ model: () => ({ url: model.baseUrl, model: "tiny" }) });

const wide = { width: 1_280, height: 800 };
const narrow = { width: 360, height: 740 };
const looks: readonly (readonly [string, TabOptions])[] = [
  ["dark, narrow", { theme: "dark", ...narrow }],
  ...(isLong
    ? ([
        ["light, wide", { theme: "light", ...wide }],
        ["dark, wide", { theme: "dark", ...wide }],
        ["light, narrow", { theme: "light", ...narrow }],
      ] as const)
    : []),
];

/** The short form leaves out states of which all elements are in the state after it. */
describe.each(looks)("no accessibility violations, %s:", { timeout: 480_000 }, (name, options) => {
  const isNarrow = name.endsWith("narrow");

  it("in the chat", async () => {
    const page = await open({ ...options, withModel: true });
    const axe = new AxeLooks(page);
    if (isLong) await axe.at("empty chat");
    await openPanel(page);
    await remember(page, "Building an app called Terrace");
    await closePanel(page);
    await ask(page, "What shall I do next for Terrace?");
    if (isLong) await axe.at("chat with messages");
    await answers(page)
      .getByRole("button", { name: /Used 1 memory/ })
      .click();
    await axe.at("used memories open");
    await questions(page).hover();
    await page.getByRole("button", { name: "Edit and resend" }).click();
    await axe.at("a message being edited");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /^Context/ }).click();
    await page.getByText("Context usage").waitFor();
    await axe.at("context ring open");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: /View last request/ }).waitFor();
    if (isLong) await axe.at("chat menu open");
    await page.getByRole("menuitem", { name: /View last request/ }).click();
    await page.getByRole("dialog", { name: "Request details" }).getByLabel("Turn").waitFor();
    await axe.at("debug view open");
    await page.keyboard.press("Escape");
    await ask(page, "refuse me");
    await axe.at("failed answer");
    expect(axe.violations).toEqual([]);
  });

  longTest("in the chat while a reply is written, and when it was stopped", async () => {
    const page = await open({ ...options, withModel: true });
    const axe = new AxeLooks(page);
    await say(page, "count slowly");
    await answers(page).getByText(/0 1 2/).waitFor();
    await axe.at("streaming");
    await page.getByRole("button", { name: "Stop the reply" }).click();
    await answers(page).and(page.locator("[data-state=stopped]")).waitFor();
    await axe.at("stopped answer");
    expect(axe.violations).toEqual([]);
  });

  longTest("in the demo, the list of conversations and a temporary chat", async () => {
    const page = await open(options);
    const axe = new AxeLooks(page);
    await page.getByRole("button", { name: "Try the demo" }).click();
    await answers(page).getByText("You're welcome.").waitFor();
    if (isLong) await axe.at("demo");
    await page.getByRole("button", { name: /^Context/ }).click();
    await page.getByRole("button", { name: "Summarize now" }).click();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /summarized$/ }).click();
    await page.getByText("Summary sent instead").waitFor();
    await axe.at("summary note open");
    await page.getByRole("button", { name: "Undo summary" }).click();
    await page.getByText(/Undone\. The model gets/).waitFor();
    await axe.at("summary undone");

    await openList(page, isNarrow);
    await axe.at("list of conversations");
    await page.getByRole("button", { name: /^More for Demo/ }).click();
    await page.getByRole("menuitem", { name: /Delete/ }).waitFor();
    await axe.at("conversation menu");
    await page.getByRole("menuitem", { name: /Delete/ }).click();
    await page.getByRole("group", { name: /^Delete Demo/ }).waitFor();
    await axe.at("delete question");
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Temporary" }).click();
    await page.getByText("disappears when you leave").waitFor();
    await axe.at("temporary chat");
    expect(axe.violations).toEqual([]);
  });

  longTest("in the choice of a model", async () => {
    const page = await open(options);
    const axe = new AxeLooks(page);
    await page.getByRole("button", { name: "Choose a model" }).click();
    await page.getByRole("button", { name: /^tiny/ }).waitFor();
    await axe.at("model picker open");
    await page.getByRole("button", { name: "Add an endpoint…" }).click();
    await page.getByRole("textbox", { name: "Base URL" }).fill(model.baseUrl);
    await axe.at("endpoint dialog open");
    await page.getByRole("button", { name: "List models" }).click();
    await page.getByText("1 model found").first().waitFor();
    await axe.at("models listed");
    await page.keyboard.press("Escape");
    await page.getByRole("option").first().waitFor({ state: "detached" });
    await page.keyboard.press("Escape");
    await page.getByRole("alertdialog", { name: "Discard your changes?" }).waitFor();
    await axe.at("discard question");
    await page.getByRole("button", { name: "Keep editing" }).click();
    await page.getByRole("textbox", { name: "Base URL" }).fill("nonsense");
    await page.getByRole("button", { name: "Save and use" }).click();
    await page.getByRole("alert").first().waitFor();
    await axe.at("endpoint refused");
    expect(axe.violations).toEqual([]);
  });

  it("in the panel", async () => {
    const page = await open({ ...options, before: stretchUndo });
    const axe = new AxeLooks(page);
    const panel = await openPanel(page);
    await panel.getByText("No memories yet.").waitFor();
    if (isLong) await axe.at("empty panel");
    await remember(page, "Building an app called Terrace", "I prefer short answers", "I live in Porto", BEES);
    await page.keyboard.press("Escape");
    await page.keyboard.press("p");
    await panel.locator("[data-pinned=true]").waitFor();
    if (isLong) await axe.at("panel with cards");
    await beginEdit(page, BEES, "Keeps bees on two roofs");
    if (isLong) await axe.at("inline edit");
    await page.keyboard.press("Shift+Enter");
    await panel.getByRole("radiogroup", { name: "Category" }).waitFor();
    await axe.at("expanded edit");
    await page.keyboard.press("Escape");
    if (isLong) {
      await panel.getByRole("button", { name: "Keyboard shortcuts" }).click();
      await page.getByText("Move between cards").waitFor();
      await axe.at("keys popover");
      await page.keyboard.press("Escape");
    }
    await panel.getByRole("button", { name: "Manage" }).click();
    await card(page, BEES).getByText(BEES).click();
    await panel.getByRole("checkbox", { name: BEES, checked: true }).waitFor();
    await axe.at("manage mode");
    await panel.getByRole("button", { name: "Done" }).click();
    await forget(page, BEES);
    await panel.getByRole("button", { name: "Undo" }).waitFor();
    await panel.getByText(/Recently deleted/).click();
    await panel.getByRole("list", { name: "Recently deleted" }).waitFor();
    await panel.getByRole("button", { name: "Undo" }).first().waitFor();
    await axe.at("toast standing, and recently deleted");
    expect(axe.violations).toEqual([]);
  });

  longTest("in what is imported and cleared", async () => {
    const page = await open(options);
    const axe = new AxeLooks(page);
    const panel = await openPanel(page);
    await panel.getByRole("button", { name: "Export and import" }).click();
    await page.getByRole("menuitem", { name: "Import…" }).waitFor();
    await axe.at("export and import menu");
    await page.getByRole("menuitem", { name: "Import…" }).click();
    await axe.at("import dialog");
    await page.getByRole("textbox", { name: "Text to import" }).fill(`${BEES}\nI live in Porto`);
    await page.getByRole("button", { name: "Preview" }).click();
    await page.getByRole("button", { name: "Add 2 memories" }).waitFor();
    await axe.at("import dialog with what it would do");
    await page.getByRole("button", { name: "Add 2 memories" }).click();
    await card(page, BEES).waitFor();
    await page.getByText("Added 2 memories").waitFor();
    await axe.at("toast of an import");
    await holdClock(page);
    await panel.getByRole("button", { name: "Clear all memory" }).click();
    await axe.at("clear confirmation");
    await panel.getByRole("button", { name: "Cancel", exact: true }).click();
    await clearAll(page);
    await clearedBar(page).waitFor();
    await axe.at("cleared bar");
    await clearedBar(page).getByRole("button", { name: "Undo" }).click();
    await card(page, BEES).waitFor();
    await clearAll(page);
    await closePanel(page);
    await clearedBar(page).waitFor();
    await axe.at("cleared bar outside of the panel");
    expect(axe.violations).toEqual([]);
  });

  longTest("where nothing can be kept", async () => {
    const before = () => {
      Object.defineProperty(globalThis, "indexedDB", { value: undefined });
    };
    const page = await open({ ...options, before });
    const axe = new AxeLooks(page);
    await page
      .getByText(/You can chat/)
      .first()
      .waitFor();
    await axe.at("storage notice");
    await openList(page, isNarrow);
    await axe.at("list of conversations with a storage notice");
    expect(axe.violations).toEqual([]);
  });
});

const BEES = "Keeps bees on the roof";

async function openList(page: Page, isNarrow: boolean): Promise<void> {
  if (isNarrow) await page.getByRole("button", { name: "Conversations" }).click();
  await page.getByRole("navigation", { name: "Conversations" }).waitFor();
}
