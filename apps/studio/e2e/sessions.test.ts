import type { Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { recordedHistory, recordedTranscript } from "../../../packages/server/test/recorded-history.fixture.ts";
import { longTest } from "../../../packages/throughline/test/long-tests.ts";
import { AxeLooks } from "./look-with-axe.ts";
import { readDownload } from "./read-download.ts";
import { serveStudio } from "./studio.ts";

const history = recordedHistory();
for (let i = 0; i < 12; i += 1) {
  const name = `plain${i}`;
  history.write(
    `${name}.jsonl`,
    recordedTranscript({ id: name, folder: "/home/ada/shop", files: 1, isCompacted: false }),
  );
}
history.write("small.jsonl", recordedTranscript({ id: "small", folder: "/home/ada/shop", files: 1 }));
history.write("large.jsonl", recordedTranscript({ id: "large", folder: "/home/ada/till", files: 6 }));
afterAll(() => history.remove());

const { open, share, url } = serveStudio({ histories: history.source });

const wide = { width: 1_280, height: 800 };
const narrow = { width: 360, height: 740 };

const shared = share(async () => undefined, wide);

async function openSessions(path = ""): Promise<Page> {
  const page = await shared();
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
      /^Your rule “Never push to main without asking me\.” was dropped\. After call 7, the agent compacted .* → 9,000 tokens\. Of the .* it needed next, .* gone, such as orderTotals0\.ts\. It repeated 6 lookups/,
    );
    await page.getByRole("heading", { name: /Fix the totals of large/ }).waitFor();
    const open = list(page).locator("a[aria-current=true]");
    expect(await open.textContent()).toMatch(/^Fix the totals of large/);
    const needed = page.getByRole("region", { name: "Needed afterwards" });
    // The first missing name shows its message, and the call that needed it.
    await needed.getByText(/^Last in message \d+$/).waitFor();
    await needed.getByText(/^Used again by call \d+$/).waitFor();
    expect(await needed.locator("mark").count()).toBe(2);
    for (const part of ["Messages before the compaction", "Needed afterwards", "Rules", "Prompt cache"])
      await page.getByRole("region", { name: part }).waitFor();
    await page.getByText("Missing from call 8 on, because the compaction dropped it.").waitFor();
    const heights = await page.evaluate(() => {
      const main = document.querySelector("main");
      return [document.documentElement.scrollHeight, (main?.scrollHeight ?? 0) - (main?.clientHeight ?? 0)];
    });
    expect(heights).toEqual([800, 0]);
  });

  longTest("show sums that add up beside the reported usage", async () => {
    const page = await openSessions();
    const items = page.getByRole("region", { name: "Messages before the compaction" });
    const figures = async (name: RegExp) => {
      const cells = await items.getByRole("row", { name }).getByRole("cell").allTextContents();
      return cells.map((text) => Number(text.replaceAll(",", "")));
    };
    const parts = await items.locator("tbody tr").count();
    const sums = [0, 0];
    for (let i = 0; i < parts; i += 1) {
      const cells = await items.locator("tbody tr").nth(i).getByRole("cell").allTextContents();
      cells.forEach((text, at) => {
        sums[at] = (sums[at] ?? 0) + Number(text.replaceAll(",", ""));
      });
    }
    expect(parts).toBeGreaterThan(2);
    expect(await figures(/^Total/)).toEqual(sums);
    expect((await figures(/^Reported/)).at(-1)).toBe(9_000);
  });

  it("show the window of a call that is chosen by keyboard, what changed, the note and the payload", async () => {
    const page = await openSessions();
    await page.getByRole("slider", { name: "Call" }).focus();
    await page.keyboard.press("Home");
    const panel = page.getByRole("region", { name: "Window of call 1" });
    await panel.getByText("Fix the totals of large.").waitFor();
    await panel.getByText(/The provider reported 20,000\./).waitFor();
    await page.getByRole("slider", { name: "Call" }).press("ArrowRight");
    const next = page.getByRole("region", { name: "Window of call 2" });
    await next.getByRole("tab", { name: "Changes" }).click();
    await next.getByText(/From call 2 to call 8: .* removed/).waitFor();
    await next.getByLabel("Compare with call").fill("3");
    await next.getByText(/From call 2 to call 3: .* added/).waitFor();
    await next.getByRole("tab", { name: "Handover note" }).click();
    await next.getByText("Never push to main without asking me.").first().waitFor();
    await next.getByRole("tab", { name: "Raw payload" }).click();
    await next.getByText('"tool_use"').first().waitFor();
    await next.getByRole("tab", { name: "gemini" }).click();
    await next.getByText('"functionCall"').first().waitFor();
    expect(page.url()).toMatch(/\/0\/call\/1$/);
    await page.getByRole("tab", { name: "Before and after" }).click();
    await page.getByRole("region", { name: "Messages before the compaction" }).waitFor();
  });

  longTest("list all requests with tokens and cache, and open a window from the list and by its address", async () => {
    const page = await openSessions();
    await page.getByRole("tab", { name: "Requests" }).click();
    const requests = page.getByRole("region", { name: "Requests" });
    const second = requests.getByRole("button", { name: /^Call 2 / });
    expect(await second.textContent()).toMatch(
      /tokens reported \(\+[\d,]+\) · our count before the reply: [\d,]+cache: .* read, .* written.*1 tool call, 1 tool result/,
    );
    await second.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("region", { name: "Window of call 2" }).waitFor();
    await page.reload();
    await page.getByRole("region", { name: "Window of call 2" }).waitFor();
  });

  it("are searched, filtered, opened by keyboard and found by their address", async () => {
    const page = await openSessions();
    await list(page)
      .getByRole("link", { name: /totals of plain9/ })
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
    await page.goto(`${address}/0`);
    await page.reload();
    await page.getByRole("heading", { name: /Fix the totals of small/ }).waitFor();
  });

  longTest("are saved as one page without secrets", async () => {
    const page = await openSessions();
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Save as HTML" }).click();
    const html = String(await readDownload(download));
    expect(html).toContain("sumOfOrder5");
    expect(html).not.toContain("a1B2c3D4a1B2");
  });
});

describe.each([
  ["light, wide", { ...wide, theme: "light" as const }],
  ["dark, narrow", { ...narrow, theme: "dark" as const }],
])("axe finds nothing wrong, %s:", { timeout: 120_000 }, (look, options) => {
  (look === "light, wide" ? it : longTest)("in the sessions", async () => {
    const page = look === "light, wide" ? await shared() : await open(options);
    await page.goto(`${url()}/#/sessions`);
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
      .getByRole("link", { name: /totals of plain9/ })
      .waitFor();
    await axe.at("list");
    expect(axe.violations).toEqual([]);
  });
});
