import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { START_TIME, sharedBrowser } from "../../../packages/throughline/test/browser/open-browser.ts";
import { builtProgram } from "../../../packages/throughline/test/built.ts";
import { AxeLooks } from "./look-with-axe.ts";

const chain = { sessionId: "s1", isSidechain: false, cwd: "/home/ada/shop" };
const used = (total: number) => ({
  input_tokens: 3,
  cache_read_input_tokens: total - 103,
  cache_creation_input_tokens: 100,
  output_tokens: 5,
});

let lines = 0;
function line(type: string, message: object, more: object = {}): string {
  lines += 1;
  const uuid = `u${lines}`;
  return JSON.stringify({ ...chain, type, uuid, parentUuid: lines > 1 ? `u${lines - 1}` : null, message, ...more });
}
const asked = (content: string) => line("user", { role: "user", content });
const replied = (id: string, text: string, total: number) =>
  line("assistant", { id, role: "assistant", content: [{ type: "text", text }], usage: used(total) });
const read = (id: string, path: string, output: string, total: number) => [
  line("assistant", {
    id,
    role: "assistant",
    content: [{ type: "tool_use", id: `t${id}`, name: "Read", input: { file_path: path } }],
    usage: used(total),
  }),
  line("user", { role: "user", content: [{ type: "tool_result", tool_use_id: `t${id}`, content: output }] }),
];

/** A session whose compaction loses a rule and a file; the file is read again. */
const transcript = [
  asked("Fix the totals. Never push to main without asking me. </script><b>bold</b>"),
  ...read("m1", "/home/ada/shop/src/orderTotals.ts", `const key = "sk-ant-api03-${"a1B2c3D4".repeat(11)}AA";`, 20_000),
  replied("m2", "The sum in src/orderTotals.ts is wrong.", 21_000),
  line("user", { role: "user", content: "The cart was looked at." }, { isCompactSummary: true }),
  ...read("m3", "/home/ada/shop/src/orderTotals.ts", "sum", 9_000),
  replied("m4", "Fixed.", 9_500),
].join("\n");

describe("the page of throughline inspect --html", () => {
  let folder = "";
  let browser: Browser | undefined;
  let page: Page | undefined;
  const requests: string[] = [];
  const problems: string[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "throughline-report-"));
    const [file, html] = [join(folder, "s1.jsonl"), join(folder, "report.html")];
    await writeFile(file, transcript);
    await promisify(execFile)(process.execPath, [builtProgram(), "inspect", file, "--html", html]);
    browser = await sharedBrowser();
    page = await browser.newPage({ viewport: { width: 1_280, height: 800 } });
    page.on("request", (request) => requests.push(request.url()));
    page.on("pageerror", (error) => problems.push(error.message));
    await page.goto(pathToFileURL(html).href);
  }, START_TIME);
  afterAll(async () => {
    await browser?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it("shows the kept and lost content of the compaction, and makes no requests", async () => {
    const text = (await page?.textContent("main")) ?? "";
    expect(text).toContain("After call 2, the agent compacted 21k → 9,000 tokens.");
    expect(text).toContain("It repeated 1 lookup");
    expect(text).toContain("Missing from call 3 on, because the compaction dropped it.");
    expect(requests).toHaveLength(1);
    expect(problems).toEqual([]);
  });

  it("shows texts of the session as text, without secrets", async () => {
    expect(await page?.locator("b").count()).toBe(0);
    expect(await page?.content()).not.toContain("a1B2c3D4a1B2");
  });

  it("shows the window of a call that is chosen by keyboard", async () => {
    const slider = page?.getByRole("slider", { name: "Call" });
    await slider?.focus();
    await page?.keyboard.press("Home");
    await expect.poll(() => page?.locator("figcaption").textContent()).toContain("Call 1 of 4: 20,000 tokens");
  });

  it("has no accessibility violations, and fits 360 px", async () => {
    if (page === undefined) throw new TypeError("The page was not opened.");
    const looks = new AxeLooks(page);
    await looks.at("wide");
    await page.setViewportSize({ width: 360, height: 740 });
    await looks.at("narrow");
    expect(looks.violations).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  });
});
