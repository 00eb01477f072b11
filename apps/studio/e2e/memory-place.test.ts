import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { isLong, longTest } from "../../../packages/throughline/test/long-tests.ts";
import { storeMany, storeMemories } from "./memory-place.ts";
import { serveStudio } from "./studio.ts";

const { open, share, url } = serveStudio();

beforeAll(() => storeMemories(url()));

const shared = share(async () => undefined);

const go = async (path: string): Promise<Page> => {
  const page = await shared();
  await page.goto(`${url()}/#/memories${path}`);
  await page.getByRole("navigation", { name: "Memory views" }).waitFor();
  return page;
};

const list = (page: Page) => page.getByRole("listbox", { name: "Memories" });

describe("the memories page", { timeout: 120_000 }, () => {
  it("finds a memory by keyboard with the reason, and shows its source with the quoted words", async () => {
    const page = await go("");
    await list(page).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("always deploy on Fridays");
    const first = list(page).getByRole("option").filter({ hasText: "deploy on Fridays" });
    await first.getByText(/matches/).waitFor();
    await list(page).focus();
    await page.keyboard.press("Enter");
    const detail = page.getByRole("article");
    await detail.getByText("Found word for word in the message.").waitFor();
    expect(await detail.locator("mark").textContent()).toMatch(/We always deploy on Fridays/);
    expect(new URL(page.url()).hash).toMatch(/^#\/memories\/mem_/);
    await page.reload();
    await page.getByRole("article").locator("mark").waitFor();
  });

  longTest("flags a quote that is not in the stored message", async () => {
    const page = await go("");
    await list(page).getByRole("option").filter({ hasText: "frozen in winter" }).click();
    await page.getByText("These words aren't in the stored message.").waitFor();
  });

  it("filters by kind and by project", async () => {
    const page = await go("");
    await list(page).waitFor();
    await page.getByRole("combobox", { name: "Kind" }).click();
    await page.getByRole("option", { name: /^Workflows/ }).click();
    await page.getByText("1 memory", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Reset filters" }).click();
    await page.getByRole("combobox", { name: "Project" }).click();
    await page.getByRole("option", { name: /^ada\/garden/ }).click();
    await list(page).getByRole("option").filter({ hasText: "The office opens at 8." }).waitFor();
    await expect.poll(() => list(page).getByRole("option").count()).toBe(2);
  });

  longTest("keeps search words and filters in the address, also beside an open memory", async () => {
    const page = await go("");
    await list(page).waitFor();
    await page.getByRole("combobox", { name: "Person" }).click();
    await page.getByRole("option", { name: /^Ben/ }).click();
    await page.getByText("1 memory", { exact: true }).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("push to main");
    await list(page).getByRole("option").filter({ hasText: "never push to main" }).click();
    await page.getByRole("article").getByText("never push to main").first().waitFor();
    expect(decodeURIComponent(new URL(page.url()).hash)).toMatch(/^#\/memories\/mem_\w+\/person=Ben&q=push\+to\+main$/);
    await page.reload();
    await list(page)
      .getByText(/matches/)
      .waitFor();
    expect(await page.getByRole("searchbox").inputValue()).toBe("push to main");
    await page.getByRole("link", { name: "Audit" }).click();
    await page.getByRole("heading", { name: "Audit" }).waitFor();
    await page.getByRole("link", { name: "All", exact: true }).click();
    await list(page)
      .getByText(/matches/)
      .waitFor();
    await page.getByRole("button", { name: "Clear search" }).click();
    await page.getByRole("button", { name: "Reset filters" }).click();
    await list(page).getByRole("option").filter({ hasText: "The office opens at 8." }).waitFor();
    expect(new URL(page.url()).hash).toBe("#/memories");
  });

  longTest("says that a memory is gone", async () => {
    const page = await go("/mem_nothere");
    await page.getByText(/no longer exists/).waitFor();
  });

  longTest("says what failed, and reads again", async () => {
    const page = await open();
    await page.route("**/memories/browse*", (route) => route.abort());
    await page.goto(`${url()}/#/memories`);
    await page.getByRole("alert").waitFor();
    await page.unrouteAll();
    await page.getByRole("button", { name: "Try again" }).click();
    await list(page).getByRole("option").first().waitFor();
  });

  it("shows what a memory replaced, and the text that was valid on a date", async () => {
    const page = await go("");
    await list(page).getByRole("option").filter({ hasText: "Vitest" }).click();
    const history = page.locator("section").filter({ has: page.getByRole("heading", { name: "History" }) });
    await history.getByRole("link", { name: "The team uses Jest for tests" }).waitFor();
    await page.getByLabel("As of").fill("2026-02-01");
    await history.getByRole("listitem").filter({ hasText: "Valid then" }).filter({ hasText: "Jest" }).waitFor();
  });

  it("edits, archives and restores by keyboard", async () => {
    const page = await go("");
    await list(page).getByRole("option").filter({ hasText: "To ship" }).click();
    const detail = page.getByRole("article");
    await detail.getByRole("button", { name: "Edit" }).waitFor();
    await list(page).focus();
    await page.keyboard.press("e");
    await page.getByRole("textbox", { name: "Text of the memory" }).fill("To ship: make all");
    await page.keyboard.press("Control+Enter");
    await page.getByText("Saved.").waitFor();
    await detail.getByText("To ship: make all").first().waitFor();
    await page.keyboard.press("Delete");
    await page.getByText("Archived.").waitFor();
    await detail.getByRole("button", { name: "Restore" }).waitFor();
    await page.keyboard.press("Control+z");
    await detail.getByRole("button", { name: "Archive" }).waitFor();
  });

  it("warns above the buttons of the review if the message doesn't have the quoted words", async () => {
    const page = await go("/review");
    await page.getByText("Deploys are frozen in winter").first().waitFor();
    const warning = page.getByText("The source doesn't say this.");
    await warning.waitFor();
    const button = (name: string) => page.getByRole("button", { name });
    const [above, below] = [await warning.boundingBox(), await button("Accept").boundingBox()];
    expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0);
    const colorOf = (name: string) => button(name).evaluate((of) => getComputedStyle(of).backgroundColor);
    expect(await colorOf("Accept")).toBe(await colorOf("Edit"));
  });

  longTest("reviews new memories by keyboard: accept, edit, reject and undo", async () => {
    const page = await go("/review");
    const left = (count: number) => page.getByText(`${count} memories to review`);
    const ready = () => page.getByRole("button", { name: "Accept", disabled: false }).waitFor();
    await ready();
    const before = Number(/\d+/.exec((await page.getByText(/memories to review/).textContent()) ?? "")?.[0]);
    await page.keyboard.press("a");
    await left(before - 1).waitFor();
    await ready();
    await page.keyboard.press("r");
    await page.getByText("Rejected.").waitFor();
    await page.keyboard.press("Control+z");
    await page.getByText("Undone.").waitFor();
    await left(before - 1).waitFor();
    await ready();
    await page.keyboard.press("e");
    await page.getByRole("textbox", { name: "Text of the memory" }).fill("Reviewed by hand");
    await page.keyboard.press("Control+Enter");
    await page.getByText("Saved and accepted.").waitFor();
    await page.goto(`${url()}/#/memories`);
    await list(page).getByRole("option").filter({ hasText: "Reviewed by hand" }).waitFor();
  });

  it("resolves a conflict by keyboard and undoes it", async () => {
    const page = await go("/conflicts");
    const conflict = page.getByRole("article");
    await conflict.getByText("The office does not open at 8.").waitFor();
    expect(await conflict.getByRole("region").count()).toBe(2);
    await page.keyboard.press("1");
    await page.getByText(/^No conflicts\./).waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await conflict.getByText("The office does not open at 8.").waitFor();
  });

  it("previews tidying up, does it and undoes it", async () => {
    const page = await go("/consolidate");
    await page.getByRole("button", { name: "Preview" }).click();
    await page.getByText(/changes? planned/).waitFor();
    await page.getByText("The team uses Jest for tests").waitFor();
    await page.getByRole("button", { name: "Tidy up now" }).waitFor();
    await page.keyboard.press("t");
    await page.getByText(/^Done: /).waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Undone.").waitFor();
  });

  it("audits the stored memories, and a file of another program without importing it", async () => {
    const page = await go("/audit");
    await page.getByRole("button", { name: /^1\s*Conflicts/ }).click();
    await page.getByRole("link", { name: "The office opens at 8." }).waitFor();
    expect(new URL(page.url()).hash).toBe("#/memories/audit/contradiction");
    await page.reload();
    await page.getByRole("link", { name: "The office opens at 8." }).waitFor();
    await page.getByRole("radio", { name: "Another store" }).click();
    const rules = "# Rules\n- Use tabs everywhere\n- Use tabs everywhere\n";
    await page.getByLabel("Choose a file").setInputFiles({
      name: "CLAUDE.md",
      mimeType: "text/markdown",
      buffer: Buffer.from(rules),
    });
    await page.getByText("2 memories checked.").waitFor();
    await page.getByRole("button", { name: /^1\s*Duplicates/ }).waitFor();
    await page.getByText("line 2").waitFor();
    const graph =
      '{"type":"entity","name":"Ada","entityType":"person","observations":["Speaks Greek","Speaks Greek"]}\n';
    const mem0 = JSON.stringify({ results: ["1", "2"].map((id) => ({ id, memory: "Likes tea", user_id: "ada" })) });
    for (const [data, format] of [
      [graph, "MCP memory file"],
      [mem0, "mem0 export"],
    ] as const) {
      await page.getByRole("textbox").fill(data);
      await page.getByRole("button", { name: "Check" }).click();
      await page.getByText(new RegExp(format)).last().waitFor();
      await page.getByRole("button", { name: /^1\s*Duplicates/ }).waitFor();
    }
    await page.goto(`${url()}/#/memories`);
    await list(page).waitFor();
    expect(await list(page).getByText("Use tabs everywhere").count()).toBe(0);
  });

  it("archives a finding with undo, opens a conflict, and deletes a secret after a question", async () => {
    const key = ["ghp", "k7Jd93mQpZx81LsVb20RtYwNc64HgFaEu5Xo"].join("_");
    await fetch(`${url()}/memories`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ text: `The token of the bot is ${key}`, keep_secrets: true }),
    });
    const page = await go("/audit/secret");
    const secret = page.getByRole("article").filter({ hasText: "The token of the bot" });
    await secret.getByRole("button", { name: "Archive" }).click();
    await page.getByText("Archived.").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await secret.getByRole("button", { name: "Delete" }).click();
    await secret.getByRole("button", { name: "Cancel" }).click();
    await secret.getByRole("button", { name: "Delete" }).click();
    await secret.getByRole("button", { name: "Delete permanently" }).click();
    await page.getByText("Deleted permanently.").waitFor();
    await page.getByRole("button", { name: /^0\s*Secrets/ }).waitFor();
    await page.goto(`${url()}/#/memories/audit/contradiction`);
    await page.getByRole("link", { name: "Resolve" }).click();
    await page.getByRole("heading", { name: "Conflicts" }).waitFor();
  });

  longTest("shows the progress of a long audit with the findings so far", async () => {
    const page = await open();
    let asked = 0;
    await page.route("**/memories/audit*", async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as Record<string, unknown>;
      asked += 1;
      await route.fulfill({ response, json: asked < 3 ? { ...body, progress: 0.4 } : body });
    });
    await page.goto(`${url()}/#/memories/audit`);
    await page.getByText("Checking your memories…").waitFor();
    await page.getByRole("progressbar").waitFor();
    await page.getByText(/memories checked/).waitFor();
    expect(await page.getByRole("progressbar").count()).toBe(0);
    expect(asked).toBe(3);
  });

  it("shows the context of a file in tiers, with sizes and reasons, at an address of its own", async () => {
    const page = await go("/context");
    await page.getByLabel("Message or task").fill("When do we deploy?");
    await page.getByRole("button", { name: "Show context" }).click();
    await page.getByRole("heading", { name: "Critical" }).waitFor();
    await page.getByText(/of 8,000 tokens/).waitFor();
    await page
      .getByRole("link", { name: /Fridays/ })
      .first()
      .waitFor();
    expect(decodeURIComponent(new URL(page.url()).hash)).toMatch(/message=When/);
    await page.reload();
    await page
      .getByRole("link", { name: /Fridays/ })
      .first()
      .waitFor();
    await page.getByRole("heading", { name: "Left out" }).waitFor();
  });

  longTest(
    "shows what a small budget leaves out of the context of a file, an error, a branch and an activity",
    async () => {
      const page = await go("/context");
      await page.getByRole("combobox", { name: "Activity" }).click();
      await page.getByRole("option", { name: "Debugging" }).click();
      await page.getByLabel("File").fill("src/deploy.ts");
      await page.getByLabel("Error").fill("TypeError: rules is undefined");
      await page.getByLabel("Branch").fill("main");
      await page.getByLabel("Message or task").fill("When do we deploy?");
      await page.getByLabel("Token budget").fill("100");
      await page.getByLabel("Token budget").press("Enter");
      await page.getByText(/of 100 tokens/).waitFor();
      const leftOut = page.locator("section").filter({ has: page.getByRole("heading", { name: "Left out" }) });
      const item = leftOut.getByRole("listitem").first();
      await item.getByRole("link").waitFor();
      expect(await item.textContent()).toMatch(/(?:Critical|Relevant|Background|Index)\d+ tokens/);
    },
  );

  it("draws and reads only the part of a long list that is on screen", async () => {
    const count = isLong ? 3_000 : 600;
    await storeMany(url(), count);
    const page = await go("");
    await page.reload();
    await page.getByText(isLong ? /^3,0\d\d memories$/ : /^6\d\d memories$/).waitFor();
    await list(page).focus();
    await page.keyboard.press("End");
    await list(page)
      .getByText(`Crate ${count - 1} holds`, { exact: false })
      .waitFor();
    expect(await list(page).getByRole("option").count()).toBeLessThan(60);
  });
});
