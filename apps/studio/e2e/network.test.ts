import type { Page, Request } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { longTest } from "../../../packages/throughline/test/long-tests.ts";
import { openPanel, remember } from "./memories.ts";
import { type ModelServer, startModelServer } from "./model-server.ts";
import { answers, ask, questions, say } from "./say.ts";
import { serveStudio } from "./studio.ts";

let model: ModelServer;
beforeAll(async () => {
  model = await startModelServer((question) => ({ words: [`You said: ${question.slice(-40)}`] }));
});
afterAll(() => model.close());

const { open, url } = serveStudio();

/** Requests of the page since the last call, by host. */
interface Traffic {
  readonly elsewhere: () => readonly string[];
  readonly toModel: () => readonly string[];
}

let leftovers: Traffic | undefined;
afterEach(() => {
  // Checks that no request goes to another host.
  expect(leftovers?.elsewhere()).toEqual([]);
});

/** Records the requests of all tabs of the user, from the first one on. */
async function listen(): Promise<{ readonly page: Page; readonly traffic: Traffic }> {
  const asked: Request[] = [];
  const sockets: string[] = [];
  const page = await open({
    watch: (context) => {
      context.on("request", (request) => asked.push(request));
      context.on("page", (tab) => tab.on("websocket", (socket) => sockets.push(socket.url())));
    },
  });
  const origin = new URL(url()).origin;
  const modelOrigin = new URL(model.baseUrl).origin;
  const to = (where: (request: URL) => boolean) =>
    asked
      .map((request) => new URL(request.url()))
      .filter((address) => /^http/.test(address.protocol) && where(address));
  leftovers = {
    elsewhere: () => [
      ...to((address) => address.origin !== origin && address.origin !== modelOrigin).map(String),
      ...sockets,
    ],
    toModel: () => to((address) => address.origin === modelOrigin).map(({ pathname }) => pathname),
  };
  expect(asked.length).toBeGreaterThan(0);
  return { page, traffic: leftovers };
}

/** Looks into everything from which something could be loaded or sent. */
async function lookAround(page: Page): Promise<void> {
  const panel = await openPanel(page);
  await remember(page, "Keeps bees on the roof");
  await panel.getByRole("button", { name: "Export and import" }).click();
  await page.getByRole("menuitem", { name: "Import…" }).waitFor();
  await page.keyboard.press("Escape");
  await panel.getByRole("button", { name: "Close", exact: true }).click();
  await page.getByRole("button", { name: "Choose a model" }).click();
  await page.getByText("On this device", { exact: true }).waitFor();
  await page.keyboard.press("Escape");
  await leaveAndComeBack(page);
}

/** Hiding the tab starts the extraction of facts. */
async function leaveAndComeBack(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const state of ["hidden", "visible"]) {
      Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }
  });
}

async function addEndpoint(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Choose a model" }).click();
  await page.getByRole("button", { name: "Add an endpoint…" }).click();
  await page.getByRole("textbox", { name: "Base URL" }).fill(model.baseUrl);
}

describe("data that leaves the device", { timeout: 120_000 }, () => {
  longTest("is nothing without a model", async () => {
    const { page, traffic } = await listen();
    await say(page, "I live in Lisbon.");
    await questions(page).getByText("I live in Lisbon.").waitFor();
    await say(page, "![a picture](https://elsewhere.example/picture.png) <img src=https://elsewhere.example/b.png>");
    await questions(page).nth(1).waitFor();
    await lookAround(page);
    expect(traffic.elsewhere()).toEqual([]);
  });

  longTest("is nothing while the demo runs and is learned from", async () => {
    const { page, traffic } = await listen();
    await page.getByRole("button", { name: "Try the demo" }).click();
    await answers(page).getByText("You're welcome.").waitFor();
    await page.getByRole("button", { name: /^Context/ }).click();
    await page.getByRole("button", { name: "Summarize now" }).click();
    await page.getByText(/summarized$/).waitFor();
    await page.keyboard.press("Escape");
    await lookAround(page);
    expect(traffic.elsewhere()).toEqual([]);
  });

  it("goes to the chosen endpoint only, and only after the first message", async () => {
    const { page, traffic } = await listen();
    await addEndpoint(page);
    await page.getByRole("combobox", { name: "Model" }).fill("tiny");
    expect(traffic.toModel()).toEqual([]);
    await page.getByRole("button", { name: "List models" }).click();
    await page.getByText("1 model found").first().waitFor();
    expect(traffic.toModel()).toEqual(["/v1/models"]);
    await page.getByRole("button", { name: "Save and use" }).click();
    await page.getByRole("button", { name: "Model: tiny" }).waitFor();
    await page.reload();
    await page.getByRole("button", { name: "Model: tiny" }).waitFor();
    await openPanel(page);
    await page.keyboard.press("Escape");
    expect(traffic.toModel()).toEqual(["/v1/models"]);

    await ask(page, "Hello there");
    expect(new Set(traffic.toModel().slice(1))).toEqual(new Set(["/v1/chat/completions"]));
  });

  longTest("is nothing of what was said before an endpoint was chosen, until the person speaks to it", async () => {
    const { page, traffic } = await listen();
    for (const [at, words] of ["I live in Lisbon.", "I keep bees.", "I like tea.", "I play chess."].entries()) {
      await say(page, words);
      await questions(page).nth(at).waitFor();
    }
    await addEndpoint(page);
    await page.getByRole("combobox", { name: "Model" }).fill("tiny");
    await page.getByRole("button", { name: "Save and use" }).click();
    await page.getByRole("button", { name: "Model: tiny" }).waitFor();
    await leaveAndComeBack(page);
    await page.getByRole("button", { name: "New chat" }).click();
    await page.reload();
    await page.getByRole("button", { name: "Model: tiny" }).waitFor();
    await page.getByRole("navigation").locator("[data-conversation]").first().click();
    await questions(page).nth(3).waitFor();
    await leaveAndComeBack(page);
    await page.getByRole("button", { name: "New chat" }).click();
    await page.getByText(/^I remember/).waitFor();
    expect(traffic.toModel()).toEqual([]);
  });
});
