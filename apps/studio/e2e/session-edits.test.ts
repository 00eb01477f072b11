import fc from "fast-check";
import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { SOAK } from "../../../packages/throughline/test/cases.ts";
import { longTest } from "../../../packages/throughline/test/long-tests.ts";
import { ownSession, send } from "./own-session.ts";
import { serveStudio } from "./studio.ts";

const { share, url } = serveStudio();

const shared = share(async () => undefined);

async function openSessions(path = ""): Promise<Page> {
  const page = await shared();
  await page.goto(`${url()}/#/sessions${path}`);
  return page;
}

const sentence = (page: Page) => page.getByText(/the agent compacted/);
const list = (page: Page) => page.getByRole("region", { name: "All sessions" });
const actsOf = (page: Page) => page.getByRole("region", { name: "Compact this session" });

describe("a session", { timeout: 120_000 }, () => {
  it("of the server can be previewed, compacted and undone, and appear without a reload", async () => {
    const page = await openSessions();
    await ownSession(url(), page, "own");
    const row = list(page).getByRole("link", { name: /bicycle/ });
    await row.click();
    const before = await send(url(), page, "/sessions/own/prepare", {});
    const acts = actsOf(page);
    await acts.getByLabel("Focus").fill("tax");
    await acts.getByRole("button", { name: "Preview" }).click();
    await acts.getByText(/messages leave the window/).waitFor();
    await acts.getByRole("button", { name: "Compact" }).click();
    await acts.getByText(/^1: /).waitFor();
    await sentence(page).waitFor();
    expect(await send(url(), page, "/sessions/own/prepare", {})).not.toEqual(before);
    await acts.getByRole("button", { name: "Undo" }).click();
    await acts.getByText("undone").waitFor();
    expect(await send(url(), page, "/sessions/own/prepare", {})).toEqual(before);
  });

  it("of the server are edited by keyboard: pinned, taken out, brought back and undone", async () => {
    const page = await openSessions();
    const id = await ownSession(url(), page, "edited");
    await page.goto(`${url()}/#/sessions/throughline%3A${id}`);
    const window = page.getByRole("region", { name: "Window now" });
    const before = await send(url(), page, `/sessions/${id}/prepare`, {});
    await window.getByRole("checkbox").nth(3).focus();
    await page.keyboard.press("Space");
    await window.getByRole("button", { name: "Take out" }).focus();
    await page.keyboard.press("Enter");
    await window.getByText(/The next call writes about .* tokens to the prompt cache again/).waitFor();
    await window.getByText(/The message has \d+ tokens; \d+ remain for the note that replaces it\./).waitFor();
    expect(await send(url(), page, `/sessions/${id}/prepare`, {})).toEqual(before);
    // The button that makes the edit has the focus.
    await page.keyboard.press("Enter");
    await window.getByText("taken out").waitFor();
    const without = await send(url(), page, `/sessions/${id}/prepare`, {});
    expect(without).not.toEqual(before);
    const acts = actsOf(page);
    await acts.getByLabel("Kept verbatim, tokens").fill("500");
    await acts.getByRole("button", { name: "Compact" }).click();
    await acts.getByText(/^1: /).waitFor();
    const compacted = await send(url(), page, `/sessions/${id}/prepare`, {});
    await page.getByRole("tab", { name: "Before and after" }).click();
    const items = page.getByRole("region", { name: "Messages before the compaction" });
    await items.getByRole("button", { name: "Bring back" }).first().focus();
    await page.keyboard.press("Enter");
    await items.getByRole("button", { name: "Bring back 1 message" }).press("Enter");
    await items.getByRole("button", { name: /in the window/ }).waitFor();
    expect(await send(url(), page, `/sessions/${id}/prepare`, {})).not.toEqual(compacted);
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
      expect(await send(url(), page, `/sessions/${id}/prepare`, {})).toEqual(earlier);
    }
  });

  longTest("of the server are previewed with other settings at once", async () => {
    const page = await openSessions();
    const id = await ownSession(url(), page, "tried");
    await page.goto(`${url()}/#/sessions/throughline%3A${id}`);
    const acts = actsOf(page);
    await acts.getByRole("button", { name: "Preview" }).click();
    const first = await acts.getByText(/compacts automatically above/).textContent();
    await acts.getByText("What if …").click();
    await acts.getByLabel("Budget, tokens").fill("4000");
    await acts.getByLabel("Profile").selectOption("Chat");
    await acts.getByLabel("Model").fill("claude-sonnet-4-5");
    await expect.poll(() => acts.getByText(/compacts automatically above/).textContent()).not.toBe(first);
  });
});

const step = fc.oneof(
  fc.record({
    act: fc.constantFrom("Pin", "Take out", "Unpin or put back", "Bring back"),
    at: fc.uniqueArray(fc.nat(5), { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ act: fc.constant("Compact"), at: fc.tuple(fc.integer({ min: 1, max: 8 })) }),
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Chooses messages, and makes the edit that is proposed. Returns false if there is nothing to edit. */
async function edit(page: Page, { act, at }: Step): Promise<boolean> {
  const isBack = act === "Bring back";
  const tab = page.getByRole("tab", { name: isBack ? "Before and after" : "Window now" });
  if ((await tab.count()) === 0) return false;
  await tab.click();
  const panel = page.getByRole("region", { name: isBack ? "Messages before the compaction" : "Window now" });
  await panel.waitFor();
  const choices: Locator = isBack
    ? panel.getByRole("button", { name: act, exact: true })
    : panel.locator("input[type=checkbox]:enabled");
  if (!isBack) await choices.first().waitFor();
  const count = await choices.count();
  if (count === 0) return false;
  if (isBack) await choices.nth((at[0] ?? 0) % count).click();
  else {
    for (const i of new Set(at.map((one) => one % count))) await choices.nth(i).check();
    await panel.getByRole("button", { name: act, exact: true }).click();
  }
  const confirm = panel.getByRole("button", { name: new RegExp(`^${act} \\d`) });
  const refusal = panel.getByRole("alert");
  await confirm.or(refusal).waitFor();
  // A note would be longer than what it replaces.
  if ((await refusal.count()) > 0) return false;
  await confirm.click();
  await confirm.waitFor({ state: "detached" });
  return true;
}

async function compact(page: Page, { at }: Step): Promise<boolean> {
  const acts = actsOf(page);
  await acts.getByLabel("Kept verbatim, tokens").fill(String(500 * (at[0] ?? 1)));
  const answer = page.waitForResponse((response) => response.url().endsWith("/compact"));
  await acts.getByRole("button", { name: "Compact", exact: true }).click();
  const { compaction } = (await (await answer).json()) as { readonly compaction: object | null };
  return compaction !== null;
}

const isEdit = ({ act }: Step) => act !== "Compact";

/** Does the steps in the browser, and undoes them there; the API gives the window after each. */
async function doAndUndo(page: Page, id: string, sequence: readonly Step[]): Promise<void> {
  await page.goto(`${url()}/#/sessions/throughline%3A${id}`);
  const sent = async () => JSON.stringify(await send(url(), page, `/sessions/${id}/prepare`, {}));
  // Edits are listed newest first, compactions oldest first.
  const undosOf = (one: Step) =>
    actsOf(page)
      .getByRole("list", { name: isEdit(one) ? "Edits" : "Compactions" })
      .getByRole("button");
  const done: { readonly before: string; readonly one: Step }[] = [];
  for (const one of sequence) {
    const [before, count] = [await sent(), await undosOf(one).count()];
    if (!(await (isEdit(one) ? edit(page, one) : compact(page, one)))) continue;
    done.push({ before, one });
    await expect.poll(() => undosOf(one).count()).toBe(count + 1);
  }
  for (const { before, one } of done.reverse()) {
    const undo = undosOf(one);
    const count = await undo.count();
    await (isEdit(one) ? undo.first() : undo.last()).click();
    await expect.poll(() => undo.count()).toBe(count - 1);
    expect(await sent()).toBe(before);
  }
}

describe("random sequences of edits and compactions in the browser", () => {
  longTest("are undone step by step to the byte-identical window", { timeout: 3_600_000 }, async () => {
    const page = await openSessions();
    let number = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 5 }), async (sequence) => {
        number += 1;
        await doAndUndo(page, await ownSession(url(), page, `random${number}`), sequence);
      }),
      { numRuns: 50 * SOAK, endOnFailure: true },
    );
  });
});
