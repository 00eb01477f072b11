import { afterAll, beforeAll, describe, expect } from "vitest";
import { START_TIME, sharedBrowser } from "../../../throughline/test/browser/open-browser.ts";
import { longTest } from "../../../throughline/test/long-tests.ts";
import { apiServer } from "../api-server.ts";

const server = apiServer();

type Browser = Awaited<ReturnType<typeof sharedBrowser>>;
type Page = Awaited<ReturnType<Browser["newPage"]>>;

let browser: Browser;

beforeAll(async () => {
  browser = await sharedBrowser();
}, START_TIME);

afterAll(() => browser?.close());

/** Errors of a page, and its requests to other hosts. */
function problemsOf(page: Page): readonly string[] {
  const problems: string[] = [];
  page.on("pageerror", ({ message }) => problems.push(message));
  page.on("console", (message) => void (message.type() === "error" && problems.push(message.text())));
  page.on("request", (request) => void (request.url().startsWith(server.url) || problems.push(request.url())));
  return problems;
}

describe("the page at /docs", () => {
  longTest("describes the API and calls it, in light and dark colors, without any other host", async () => {
    const page = await browser.newPage({ colorScheme: "light" });
    page.setDefaultTimeout(START_TIME);
    const problems = problemsOf(page);
    await page.goto(`${server.url}/docs`);
    const operation = page.locator("#operations-memories-listMemories");
    await operation
      .getByRole("button", { name: /memories/ })
      .first()
      .click();
    await page.getByRole("button", { name: "Try it out" }).click();
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url().startsWith(`${server.url}/memories`)),
      page.getByRole("button", { name: "Execute" }).click(),
    ]);
    expect(answer.status()).toBe(200);
    expect(await page.locator("html.dark-mode").count()).toBe(0);
    await page.emulateMedia({ colorScheme: "dark" });
    await page.locator("html.dark-mode").waitFor();
    expect(problems).toEqual([]);
    await page.close();
  });
});
