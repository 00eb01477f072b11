import { randomBytes } from "node:crypto";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OpenBrowser, openBrowser, START_TIME } from "../../../packages/throughline/test/browser/open-browser.ts";
import { longTest } from "../../../packages/throughline/test/long-tests.ts";
import {
  card,
  cards,
  clearAll,
  clearedBar,
  closePanel,
  forget,
  holdClock,
  knows,
  openPanel,
  panelOf,
  remember,
} from "./memories.ts";
import { type ModelServer, startModelServer } from "./model-server.ts";
import { answers, ask, questions } from "./say.ts";
import { serveStudio } from "./studio.ts";

let model: ModelServer;
beforeAll(async () => {
  model = await startModelServer((question) => ({ words: ["You ", "said: ", question.slice(-40)] }));
});
afterAll(() => model.close());

const { open, url } = serveStudio({ model: () => ({ url: model.baseUrl, model: "tiny" }) });

/** The empty chat with its introduction. */
async function expectChatWorks(page: Page, words = "Hello there"): Promise<void> {
  await ask(page, words);
  await questions(page).getByText(words).waitFor();
  await answers(page).getByText(`You said: ${words}`).waitFor();
}

const BEES = "Keeps bees on the roof";

async function expectPanelWorks(page: Page): Promise<void> {
  await openPanel(page);
  await remember(page, BEES, "Waters the ferns on Mondays");
  await forget(page, BEES);
  await panelOf(page)
    .getByText(/Recently deleted/)
    .click();
  await panelOf(page)
    .getByRole("button", { name: `Restore: ${BEES}` })
    .click();
  await card(page, BEES).waitFor();
  await holdClock(page);
  await clearAll(page);
  await clearedBar(page).getByRole("button", { name: "Undo" }).click();
  await knows(page, 2);
}

const withoutIndexedDb: Readonly<Record<string, () => void>> = {
  "has none": () => {
    Object.defineProperty(globalThis, "indexedDB", { value: undefined });
  },
  "does not let it be looked at": () => {
    Object.defineProperty(globalThis, "indexedDB", {
      get() {
        throw new DOMException("denied", "SecurityError");
      },
    });
  },
  "throws when it is opened": () => {
    IDBFactory.prototype.open = () => {
      throw new DOMException("denied", "SecurityError");
    };
  },
  "fails to open it": () => {
    IDBFactory.prototype.open = () => {
      const request = { error: new DOMException("Internal error", "UnknownError"), onerror: (_: unknown) => undefined };
      setTimeout(() => request.onerror({ target: request }));
      return request as unknown as IDBOpenDBRequest;
    };
  },
};

describe("a browser that does not keep data for pages", { timeout: 120_000 }, () => {
  for (const [place, before] of Object.entries(withoutIndexedDb)) {
    const test = place === "fails to open it" ? it : longTest;
    test(`gets a chat that says so where it ${place}`, async () => {
      const page = await open({ withModel: true, before });
      await page
        .getByText(/doesn't let Throughline save anything.*You can chat/)
        .first()
        .waitFor();
      await expectChatWorks(page);
      await expectPanelWorks(page);
      await page.reload();
      await page.getByText("Your chats will appear here.").waitFor();
      await knows(page, 0);
    });
  }

  longTest("gets the same chat where its small settings cannot be kept either", async () => {
    const page = await open({
      before: () => {
        for (const name of ["indexedDB", "localStorage", "sessionStorage", "caches"]) {
          Object.defineProperty(globalThis, name, {
            get() {
              throw new DOMException("denied", "SecurityError");
            },
          });
        }
      },
    });
    await page
      .getByText(/doesn't let Throughline save anything.*You can chat/)
      .first()
      .waitFor();
    await chooseServerModel(page);
    await expectChatWorks(page);
    await expectPanelWorks(page);
  });
});

describe("a browser without storage for settings", { timeout: 120_000 }, () => {
  it("keeps conversations and memories all the same", async () => {
    const page = await open({
      before: () => {
        for (const name of ["localStorage", "sessionStorage"]) {
          Object.defineProperty(globalThis, name, {
            get() {
              throw new DOMException("denied", "SecurityError");
            },
          });
        }
      },
    });
    await chooseServerModel(page);
    await expectChatWorks(page);
    await openPanel(page);
    await remember(page, BEES);
    await clearAll(page);
    await panelOf(page)
      .getByText(/nothing was cleared/)
      .waitFor();
    await card(page, BEES).waitFor();
    await page.reload();
    await knows(page, 1);
    await page.getByRole("navigation").getByRole("button", { name: "Hello there", exact: true }).click();
    await answers(page).getByText("You said: Hello there").waitFor();
  });
});

describe("a browser without room", { timeout: 120_000 }, () => {
  // A window without persistent storage has no quota to limit.
  let browser: OpenBrowser;
  beforeAll(async () => {
    browser = await openBrowser();
  }, START_TIME);
  afterAll(() => browser?.close());

  it("is announced, and the chat continues with all messages", async () => {
    const page = await browser.context.newPage();
    // Before anything is stored: Chromium looks only now and then at how much it may store.
    const makeRoom = await quotaOf(page, 3_000_000);
    await page.goto(url());
    await chooseServerModel(page);
    await expectChatWorks(page, "Said while there was room");
    await openPanel(page);
    await remember(page, BEES);
    await closePanel(page);
    await fill(page);

    await expectChatWorks(page, "Said without room");
    await page
      .getByText(/storage is full.*Everything saved before is safe/)
      .first()
      .waitFor();
    await questions(page).getByText("Said while there was room").waitFor();
    await expectChatWorks(page, "Said after that");

    await openPanel(page);
    await card(page, BEES).waitFor();
    const field = panelOf(page).getByRole("textbox", { name: "Remember something" });
    await field.fill("Plays the cello");
    await field.press("Enter");
    await panelOf(page)
      .getByText(/no (?:storage )?space left/)
      .first()
      .waitFor();

    await makeRoom();
    await page.reload();
    await knows(page, 1);
    await page.getByRole("navigation").getByRole("button", { name: "Said while there was room", exact: true }).click();
    await answers(page).getByText("You said: Said while there was room").waitFor();
    expect(await cards(page).count()).toBe(0);
  });
});

async function chooseServerModel(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Choose a model" }).click();
  await page.getByRole("button", { name: /^tiny/ }).click();
  await page.getByRole("button", { name: /^Model: / }).waitFor();
}

/** Bounds how many bytes the page may store, until the result is called. */
async function quotaOf(page: Page, quotaSize: number): Promise<() => Promise<unknown>> {
  const session = await page.context().newCDPSession(page);
  const { origin } = new URL(url());
  await session.send("Storage.overrideQuotaForOrigin", { origin, quotaSize });
  return () => session.send("Storage.overrideQuotaForOrigin", { origin });
}

/** Writes until the browser refuses, because it checks the quota only from time to time. */
async function fill(page: Page): Promise<void> {
  const text = randomBytes(256 * 1_024).toString("base64");
  await page.evaluate(async (words) => {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open("ballast");
      request.onupgradeneeded = () => request.result.createObjectStore("stones", { autoIncrement: true });
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    const isTaken = (length: number) =>
      new Promise<boolean>((resolve) => {
        const transaction = database.transaction("stones", "readwrite");
        transaction.oncomplete = () => resolve(true);
        transaction.onabort = () => resolve(false);
        transaction.objectStore("stones").add(words.slice(0, length));
      });
    // Smaller writes fill the rest of the quota.
    for (const length of [256 * 1_024, 16 * 1_024, 1_024, 64]) {
      for (let stones = 0; stones < 1_000 && (await isTaken(length)); stones += 1);
    }
    database.close();
  }, text);
}
