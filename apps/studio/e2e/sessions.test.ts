import type { Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { recordedHistory, recordedTranscript } from "../../../packages/server/test/recorded-history.fixture.ts";
import { longTest } from "../../../packages/throughline/test/long-tests.ts";
import { AxeLooks } from "./look-with-axe.ts";
import { readDownload } from "./read-download.ts";
import { serveStudio } from "./studio.ts";

const history = recordedHistory();
for (let i = 0; i < 30; i += 1) {
  const name = `plain${i}`;
  history.write(
    `${name}.jsonl`,
    recordedTranscript({ id: name, folder: "/home/ada/shop", files: 1, isCompacted: false }),
  );
}
history.write("small.jsonl", recordedTranscript({ id: "small", folder: "/home/ada/shop", files: 1 }));
history.write("large.jsonl", recordedTranscript({ id: "large", folder: "/home/ada/till", files: 6 }));
afterAll(() => history.remove());

const { open, url } = serveStudio({ histories: history.source });

const wide = { width: 1_280, height: 800 };
const narrow = { width: 360, height: 740 };

async function openSessions(options: Parameters<typeof open>[0] = wide, path = ""): Promise<Page> {
  const page = await open(options);
  await page.goto(`${url()}/#/sessions${path}`);
  return page;
}

const sentence = (page: Page) => page.getByText(/the agent compacted/);
const list = (page: Page) => page.getByRole("region", { name: "All sessions" });

describe("the sessions", { timeout: 120_000 }, () => {
  it("open on the worst compaction, on one screen", async () => {
    const page = await openSessions();
    await sentence(page).waitFor();
    expect(await sentence(page).textContent()).toMatch(
      /^After call 7, the agent compacted .* → 9,000 tokens\. It kept .* names? w.* gone\. 6 lookups were repeated/,
    );
    await page.getByRole("heading", { name: /Fix the totals of large/ }).waitFor();
    for (const part of ["Messages before the compaction", "Needed afterwards", "Rules", "Prompt cache"])
      expect(await page.getByRole("region", { name: part }).isVisible()).toBe(true);
    expect(await page.getByText("Missing from call 8 on.").isVisible()).toBe(true);
    const heights = await page.evaluate(() => {
      const main = document.querySelector("main");
      return [document.documentElement.scrollHeight, (main?.scrollHeight ?? 0) - (main?.clientHeight ?? 0)];
    });
    expect(heights).toEqual([800, 0]);
  });

  longTest("show sums that add up beside the reported usage", async () => {
    const page = await openSessions();
    const row = page.getByRole("row", { name: /^Before/ });
    const [, parts = "", total = ""] = /^Before(.*)= ([\d,]+) tokens/.exec((await row.textContent()) ?? "") ?? [];
    const numbers = [...parts.matchAll(/(?<![\w.])\d[\d,]*/g)].map(([text]) => Number(text.replaceAll(",", "")));
    expect(numbers.length).toBeGreaterThan(1);
    expect(numbers.reduce((sum, value) => sum + value, 0)).toBe(Number(total.replaceAll(",", "")));
    expect(await page.getByRole("row", { name: /^After/ }).textContent()).toContain("9,000");
  });

  it("show the window of a call that is chosen by keyboard, what changed, the note and the payload", async () => {
    const page = await openSessions();
    await page.getByRole("slider", { name: "Call" }).focus();
    await page.keyboard.press("Home");
    const panel = page.getByRole("region", { name: "Window of call 1" });
    await panel.getByText("Fix the totals of large.").waitFor();
    expect(await panel.getByText(/The provider reported 20,000\./).isVisible()).toBe(true);
    await page.getByRole("slider", { name: "Call" }).press("ArrowRight");
    const next = page.getByRole("region", { name: "Window of call 2" });
    await next.getByRole("tab", { name: "Changes" }).click();
    await next.getByText(/From call 2 to call 8: .* removed/).waitFor();
    await next.getByRole("tab", { name: "Note" }).click();
    await next.getByText("Never push to main without asking me.").first().waitFor();
    await next.getByRole("tab", { name: "Payload" }).click();
    await next.getByText('"tool_use"').first().waitFor();
    await next.getByRole("tab", { name: "gemini" }).click();
    await next.getByText('"functionCall"').first().waitFor();
    expect(page.url()).toMatch(/\/0\/call\/1$/);
    await page.getByRole("tab", { name: "Before and after" }).click();
    await page.getByRole("region", { name: "Messages before the compaction" }).waitFor();
  });

  it("list all requests with tokens and cache, and open a window from the list and by its address", async () => {
    const page = await openSessions();
    await page.getByRole("tab", { name: "Requests" }).click();
    const requests = page.getByRole("region", { name: "Requests" });
    const second = requests.getByRole("button", { name: /^Call 2 / });
    expect(await second.textContent()).toMatch(
      /tokens \(\+[\d,]+\) · reported [\d,]+cache: .* read, .* written.*1 reply/,
    );
    await second.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("region", { name: "Window of call 2" }).waitFor();
    const other = await open({ ...wide, beside: page });
    await other.goto(page.url());
    await other.getByRole("region", { name: "Window of call 2" }).waitFor();
  });

  it("are searched, filtered, opened by keyboard and found by their address", async () => {
    const page = await openSessions();
    await list(page)
      .getByRole("link", { name: /totals of plain29/ })
      .waitFor();
    const project = list(page).getByRole("combobox", { name: "Project" });
    await project.selectOption({ label: "till" });
    await expect.poll(() => list(page).getByRole("listitem").count()).toBe(1);
    await project.selectOption({ label: "All projects" });
    await list(page).getByRole("searchbox").fill("small");
    const found = list(page).getByRole("link", { name: /totals of small/ });
    await expect.poll(() => list(page).getByRole("listitem").count()).toBe(1);
    await found.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: /Fix the totals of small/ }).waitFor();
    const address = page.url();
    expect(address).toMatch(/#\/sessions\/claude-code%3A[0-9a-f]+%3Asmall$/);
    const other = await open({ ...wide, beside: page });
    await other.goto(`${address}/0`);
    await other.getByRole("heading", { name: /Fix the totals of small/ }).waitFor();
  });

  longTest("are saved as one page without secrets", async () => {
    const page = await openSessions();
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Save as HTML" }).click();
    const html = String(await readDownload(download));
    expect(html).toContain("sumOfOrder5");
    expect(html).not.toContain("a1B2c3D4a1B2");
  });

  it("of the server can be previewed, compacted and undone, and appear without a reload", async () => {
    const page = await openSessions();
    await sentence(page).waitFor();
    await ownSession(page, "own");
    const row = list(page).getByRole("link", { name: /bicycle/ });
    await row.click();
    const before = await send(page, "/sessions/own/prepare", {});
    const acts = page.getByRole("region", { name: "Compact this session" });
    await acts.getByLabel("Focus").fill("tax");
    await acts.getByRole("button", { name: "Preview" }).click();
    await acts.getByText(/messages leave the window/).waitFor();
    await acts.getByRole("button", { name: "Compact" }).click();
    await acts.getByText(/^1: /).waitFor();
    await sentence(page).waitFor();
    expect(await send(page, "/sessions/own/prepare", {})).not.toEqual(before);
    await acts.getByRole("button", { name: "Undo" }).click();
    await acts.getByText("undone").waitFor();
    expect(await send(page, "/sessions/own/prepare", {})).toEqual(before);
  });

  it("of the server are edited by keyboard: pinned, taken out, brought back and undone", async () => {
    const page = await openSessions();
    const id = await ownSession(page, "edited");
    await page.goto(`${url()}/#/sessions/throughline%3A${id}`);
    const window = page.getByRole("region", { name: "Window now" });
    const before = await send(page, `/sessions/${id}/prepare`, {});
    await window.getByRole("checkbox").nth(3).focus();
    await page.keyboard.press("Space");
    await window.getByRole("button", { name: "Take out" }).focus();
    await page.keyboard.press("Enter");
    await window.getByText(/The next call writes about .* tokens to the prompt cache again/).waitFor();
    expect(await send(page, `/sessions/${id}/prepare`, {})).toEqual(before);
    // The button that makes the edit has the focus.
    await page.keyboard.press("Enter");
    await window.getByText("taken out").waitFor();
    const without = await send(page, `/sessions/${id}/prepare`, {});
    expect(without).not.toEqual(before);
    const acts = page.getByRole("region", { name: "Compact this session" });
    await acts.getByLabel("Tail, tokens").fill("500");
    await acts.getByRole("button", { name: "Compact" }).click();
    await acts.getByText(/^1: /).waitFor();
    const compacted = await send(page, `/sessions/${id}/prepare`, {});
    await page.getByRole("tab", { name: "Before and after" }).click();
    const items = page.getByRole("region", { name: "Messages before the compaction" });
    await items.getByRole("button", { name: "Bring back" }).first().focus();
    await page.keyboard.press("Enter");
    await items.getByRole("button", { name: "Bring back 1 message" }).press("Enter");
    await items.getByRole("button", { name: /in the window/ }).waitFor();
    expect(await send(page, `/sessions/${id}/prepare`, {})).not.toEqual(compacted);
    // Undone from the newest to the oldest: each step restores the window before it.
    const steps = [
      [/^Pinned/, compacted],
      [/^1: /, without],
      [/^Took out/, before],
    ] as const;
    for (const [name, earlier] of steps) {
      const row = acts.getByRole("listitem").filter({ hasText: name });
      await row.getByRole("button", { name: "Undo" }).press("Enter");
      await row.getByText("undone").waitFor();
      expect(await send(page, `/sessions/${id}/prepare`, {})).toEqual(earlier);
    }
  });

  longTest("of the server are previewed with other settings at once", async () => {
    const page = await openSessions();
    const id = await ownSession(page, "tried");
    await page.goto(`${url()}/#/sessions/throughline%3A${id}`);
    const acts = page.getByRole("region", { name: "Compact this session" });
    await acts.getByRole("button", { name: "Preview" }).click();
    const first = await acts.getByText(/compacts by itself above/).textContent();
    await acts.getByText("What if …").click();
    await acts.getByLabel("Budget, tokens").fill("4000");
    await acts.getByLabel("Profile").selectOption("Chat");
    await acts.getByLabel("Model").fill("claude-sonnet-4-5");
    await expect.poll(() => acts.getByText(/compacts by itself above/).textContent()).not.toBe(first);
  });
});

describe.each([
  ["light, wide", { ...wide, theme: "light" as const }],
  ["dark, narrow", { ...narrow, theme: "dark" as const }],
])("axe finds nothing wrong, %s:", { timeout: 120_000 }, (look, options) => {
  (look === "light, wide" ? it : longTest)("in the sessions", async () => {
    const page = await openSessions(options);
    await sentence(page).waitFor();
    const axe = new AxeLooks(page);
    await axe.at("report");
    await page.getByRole("slider", { name: "Call" }).focus();
    await page.keyboard.press("Home");
    await page.getByRole("region", { name: "Window of call 1" }).getByText("Fix the totals of large.").waitFor();
    await axe.at("window");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(options.width);
    await page.goto(`${url()}/#/sessions/all`);
    await list(page)
      .getByRole("link", { name: /totals of plain29/ })
      .waitFor();
    await axe.at("list");
    expect(axe.violations).toEqual([]);
  });
});

/** Creates a session of the server with 40 messages. Returns its id. */
async function ownSession(page: Page, id: string): Promise<string> {
  const filler = "The sum is rounded twice, and the cart adds the tax again. ".repeat(30);
  const messages = Array.from({ length: 40 }, (_, i) => ({
    role: i % 2 === 0 ? "user" : "assistant",
    content: i === 0 ? "Repair the bicycle page. Never push to main without asking me." : `${i}: ${filler}`,
  }));
  await send(page, "/sessions", { id, context_limit: 32_000 });
  await send(page, `/sessions/${id}/messages`, { messages });
  return id;
}

/** Calls the server as the page does, and returns the messages of a prepared window. */
async function send(page: Page, path: string, body: unknown): Promise<unknown> {
  const response = await page.request.post(`${url()}${path}`, { data: body });
  expect(response.ok()).toBe(true);
  const answer = (await response.json()) as { readonly messages?: unknown };
  return answer.messages;
}
